import { Hono } from 'hono'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { showFiltered } from '../show-page.ts'
import { searchPage } from './search-page.ts'

export function searchPageRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/search', async (c) => showFiltered(c, desks, searchPage))
  return routes
}
