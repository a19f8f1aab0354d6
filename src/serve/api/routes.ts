import { Hono } from 'hono'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'

/** Under `/api`. */
export function apiRoutes(_context: AdminContext): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
}
