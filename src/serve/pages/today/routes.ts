import { Hono } from 'hono'
import type { AdminEnv } from '../../admin-env.ts'
import type { Desks } from '../../scope/desks.ts'
import { showFiltered } from '../show-page.ts'
import { todayPage } from './today-page.ts'

export function todayRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/', async (c) => showFiltered(c, desks, todayPage))
  return routes
}
