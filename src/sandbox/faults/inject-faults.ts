import { setTimeout as delay } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { refuse } from '../http/refuse.ts'
import type { FaultSource } from './fault-source.ts'

const STALL_MS = 120_000
const PAGE = '<!doctype html><html><head><title>Maintenance</title></head><body>Please come back later.</body></html>'

/**
 * Lets requests go wrong. After 429 and 500 nothing was carried out; with the other faults a write was, and only its
 * answer is lost.
 */
export function injectFaults(source: Pick<FaultSource, 'answerFault'>): MiddlewareHandler {
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
