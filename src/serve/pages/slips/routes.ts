import { Hono } from 'hono'
import type { AdminContext } from '../../admin-context.ts'
import type { AdminEnv } from '../../admin-env.ts'

export function slipRoutes(_desk: AdminContext): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
}
