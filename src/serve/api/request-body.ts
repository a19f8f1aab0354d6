import { bodyLimit } from 'hono/body-limit'
import { problemResponse } from '../problem.ts'
import { refused } from './answers.ts'

const LARGEST_BODY_BYTES = 65_536

/** What may be wrong with the body of a request. */
export const BODY_PROBLEMS = {
  400: refused('The body is not JSON.'),
  413: refused('The body is too large.'),
} as const

export const limitedBody = bodyLimit({ maxSize: LARGEST_BODY_BYTES, onError: tooLarge })

function tooLarge(): Response {
  return problemResponse({ status: 413, detail: `The body is larger than ${LARGEST_BODY_BYTES} bytes.` })
}

/** The value of a text; undefined: it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function notJson(): Response {
  return problemResponse({ status: 400, detail: 'The body is not JSON.' })
}
