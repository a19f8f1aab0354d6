import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Hono } from 'hono'
import type { AdminEnv } from './admin-env.ts'

/** Beside this file in a clone and in the package alike. */
const FOLDER = new URL('assets/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface Asset {
  readonly body: string
  readonly type: string
  readonly etag: string
}

/** The files of `serve/assets/`, under `/assets/`; open to everyone. Browsers ask each time and are told that nothing changed. */
export function assetRoutes(): Hono<AdminEnv> {
  const assets = readAssets()
  const routes = new Hono<AdminEnv>()
  routes.get('/:name', (c) => {
    const asset = assets.get(c.req.param('name'))
    if (asset === undefined) return c.notFound()
    const { body, etag, type } = asset
    const headers = { 'Cache-Control': 'no-cache', ETag: etag, 'X-Content-Type-Options': 'nosniff' }
    const known =
      c.req
        .header('if-none-match')
        ?.split(',')
        .map((each) => each.trim().replace(/^W\//, '')) ?? []
    return known.includes(etag) ? c.body(null, 304, headers) : c.body(body, 200, { ...headers, 'Content-Type': type })
  })
  return routes
}

/** Reads the assets, which are few and small. What is no asset (a folder, another kind of file) is not served. */
function readAssets(): ReadonlyMap<string, Asset> {
  const names = readdirSync(FOLDER)
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[path.extname(name)]
      if (type === undefined) return []
      const body = readFileSync(new URL(name, FOLDER), 'utf8')
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      return [[name, { body, type, etag }] as const]
    }),
  )
}
