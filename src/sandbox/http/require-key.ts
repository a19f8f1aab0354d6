import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { refuse } from './refuse.ts'

/** 401 to every request that does not carry `Authorization: Bearer <apiKey>`, known path or not. */
export function requireKey(apiKey: string): MiddlewareHandler {
  const expected = digest(apiKey)
  return async (context, next) => {
    const [, given] = /^Bearer +(.*)$/i.exec(context.req.header('authorization') ?? '') ?? []
    if (given === undefined) return refuse(context, 401, 'The Authorization header must be: Bearer <API key>.')
    if (!timingSafeEqual(digest(given), expected)) return refuse(context, 401, 'The API key is not known.')
    return next()
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
