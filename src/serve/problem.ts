import { STATUS_CODES } from 'node:http'
import { asStarted } from '../invocation.ts'
import { ShipbellError, WrongValue, type ErrorCode } from '../errors.ts'
import type { JsonObject } from '../model/json.ts'

/** Problem details of RFC 9457. */
export interface Problem {
  readonly status: number
  /** One sentence: what is wrong, and what to do. */
  readonly detail: string
  /** What this kind of problem adds. */
  readonly extras?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

export const PROBLEM_TYPE = 'application/problem+json'

/** `type` is `about:blank`: the status says what kind of problem it is. */
export function problemResponse({ status, detail, extras = {}, headers = {} }: Problem): Response {
  const title = STATUS_CODES[status] ?? 'Error'
  const body = { type: 'about:blank', title, status, detail: asStarted(detail), ...extras }
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': PROBLEM_TYPE,
      'Cache-Control': 'no-store',
      // What of the body was not read would be taken for another request.
      ...(status === 413 && { Connection: 'close' }),
      ...headers,
    },
  })
}

/** A text with its full stop, or the question mark that it has. */
export function ended(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`
}

/** Says nothing of the insides of what nobody foresaw. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ShipbellError)) return INTERNAL
  const status = STATUSES.get(error.code)
  if (status === undefined) return INTERNAL
  const wrong = parameterOf(error)
  return {
    status,
    ...(wrong !== null && { extras: { errors: [{ ...wrong, detail: error.message }] } }),
    detail: status === 503 ? 'The store cannot be read or written now: the log says why.' : error.message,
  }
}

/** What of a request is wrong, whoever found it out; null: nothing of it is. Each list has one cursor. */
function parameterOf(error: ShipbellError): { readonly in: string; readonly name: string } | null {
  if (error instanceof WrongValue) return { in: 'body', name: error.key }
  return error.code === 'bad_cursor' ? { in: 'query', name: 'cursor' } : null
}

const STATUSES: ReadonlyMap<ErrorCode, number> = new Map([
  ['not_found', 404],
  ['wrong_state', 409],
  ['bad_cursor', 422],
  ['forbidden', 403],
  ['usage', 422],
  ['store_unusable', 503],
  ['store_locked', 503],
  ['store_newer', 503],
  ['store_moved', 503],
] as const)

const INTERNAL: Problem = { status: 500, detail: 'Something failed that should not: the log says what.' }
