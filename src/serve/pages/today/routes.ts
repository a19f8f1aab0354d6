import { Hono } from 'hono'
import type { AdminEnv } from '../../admin-env.ts'
import type { Desks } from '../../scope/desks.ts'
import { showFiltered, viewOf } from '../show-page.ts'
import { sinceOf } from './since-choice.ts'
import { todayPage } from './today-page.ts'

export function todayRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/', async (c) => {
    if (sinceOf(viewOf(c, desks)).wrong !== null) c.status(422)
    return await showFiltered(c, desks, todayPage)
  })
  return routes
}
