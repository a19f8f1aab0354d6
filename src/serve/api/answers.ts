import { type RouteConfig, z } from '@hono/zod-openapi'
import { PROBLEM_TYPE } from '../problem.ts'
import { text, whole } from './parts.ts'

const problem = z
  .object({
    type: text,
    title: text,
    status: whole,
    detail: text,
    errors: z
      .array(z.object({ in: text, name: text, detail: text }))
      .optional()
      .openapi({ description: 'Of a 422: which parameters are malformed.' }),
  })
  .openapi('Problem', { description: 'RFC 9457' })

/** An answer in problem details. */
export function refused(description: string) {
  return { description, content: { [PROBLEM_TYPE]: { schema: problem } } }
}

/** An answer in JSON. */
export function answer<S extends z.ZodType>(description: string, schema: S) {
  return { description, content: { 'application/json': { schema } } }
}

/** An answer whose text the handler makes itself: the compiler does not hold it to the schema. */
export function textAnswer(description: string, schema: z.ZodType): RouteConfig['responses'][string] {
  return answer(description, schema)
}

/** What may be wrong with a request that changes nothing. */
export const READ_PROBLEMS = {
  401: refused('There is no valid token.'),
  404: refused('There is none of that name, or none that this token lets see.'),
  422: refused('A parameter is malformed.'),
  429: refused('Too many wrong tokens came from this address: the header `Retry-After` says when to try again.'),
  500: refused('Something failed that should not.'),
  503: refused('The store cannot be read or written now.'),
} as const

/** To do something. */
export const ACT_PROBLEMS = {
  ...READ_PROBLEMS,
  403: refused('Who may only look does not act; nor does a page from elsewhere.'),
  409: refused('The state of it does not allow it.'),
} as const
