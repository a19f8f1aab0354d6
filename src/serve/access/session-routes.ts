import { Hono } from 'hono'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'

/** `/login` and `/logout`. */
export function sessionRoutes(_context: AdminContext): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
}
