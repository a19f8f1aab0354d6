import { Hono } from 'hono'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'

/** Pages for people. */
export function pageRoutes(_context: AdminContext): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
}
