import { Hono } from 'hono'
import type { AdminEnv } from './admin-env.ts'

/** The files of `serve/assets/`, under `/assets/`; open to everyone. */
export function assetRoutes(): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
}
