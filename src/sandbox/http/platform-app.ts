import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Hono, type MiddlewareHandler } from 'hono'
import type { FaultSource } from '../fault-source.ts'
import type { World } from '../world/world.ts'
import { fileRoutes } from './file-routes.ts'
import { readRoutes } from './read-routes.ts'
import { orderPreparationRoutes, purchaseOrderRoutes } from './write-routes.ts'
import { refuse } from './record-routes.ts'

export interface PlatformAppOptions {
  readonly world: World
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  readonly apiKey: string
  readonly faults: FaultSource
}

/** The platform's HTTP interface over a world. Paths that no endpoint has answer 404 with an object. */
export function platformApp({ world, now, apiKey, faults }: PlatformAppOptions): Hono {
  const app = new Hono()
  const served = { world, now, rowShift: (request: Request) => faults.rowShift(request) }
  fileRoutes(app, served)
  app.use(requireKey(apiKey))
  app.use(injectFaults(faults))
  readRoutes(app, served)
  purchaseOrderRoutes(app, served)
  orderPreparationRoutes(app, served)
  app.notFound((context) =>
    refuse(context, 404, `There is no endpoint ${context.req.method} ${context.req.path.slice(0, 200)}.`),
  )
  return app
}

/** 401 to every request that does not carry `Authorization: Bearer <apiKey>`, known path or not. */
function requireKey(apiKey: string): MiddlewareHandler {
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

const STALL_MS = 120_000
const PAGE = '<!doctype html><html><head><title>Maintenance</title></head><body>Please come back later.</body></html>'

/**
 * Lets requests go wrong. After 429 and 500 nothing was carried out; with the other faults a write was, and only its
 * answer is lost.
 */
function injectFaults(source: Pick<FaultSource, 'answerFault'>): MiddlewareHandler {
  return async (context, next) => {
    const fault = source.answerFault(context.req.raw)
    switch (fault?.kind) {
      case undefined:
        return next()
      case 'throttled':
        context.header('Retry-After', String(fault.retryAfterSeconds))
        return refuse(context, 429, 'Too many requests.')
      case 'error':
        return refuse(context, 500, 'Something went wrong.')
      case 'stall':
        await next()
        await delay(STALL_MS, undefined, { signal: context.req.raw.signal, ref: false }).catch(() => undefined)
        return undefined
      case 'broken':
        await next()
        context.res = await cutOff(context.res, fault.part)
        return undefined
      case 'html':
        await next()
        context.res = undefined
        context.res = new Response(PAGE, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
        return undefined
      default:
        return fault satisfies never
    }
  }
}

async function cutOff(response: Response, part: number): Promise<Response> {
  const text = await response.text()
  const { status, headers } = response
  return new Response(text.slice(0, Math.max(1, Math.floor(text.length * part))), { status, headers })
}
