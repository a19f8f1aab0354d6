import { html } from 'hono/html'
import { Hono } from 'hono'
import type { AdminContext } from '../../admin-context.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { showPage } from '../show-page.ts'

export function overviewRoutes(desk: AdminContext): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/', async (c) =>
    showPage(c, desk, { title: 'Overview', under: 'Overview', body: html`<h1>Overview</h1>` }),
  )
  return routes
}
