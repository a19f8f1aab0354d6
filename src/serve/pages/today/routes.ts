import { Hono } from 'hono'
import type { AdminEnv } from '../../admin-env.ts'
import type { Desks } from '../../scope/desks.ts'
import { showPage, viewOf } from '../show-page.ts'
import { todayPage } from './today-page.ts'

export function todayRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/', async (c) => showPage(c, desks, await todayPage(viewOf(c, desks))))
  return routes
}
