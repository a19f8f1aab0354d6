import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { typesLike } from '../../model/types-like.ts'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { LIST_PROBLEMS } from '../api/answers.ts'
import { checked } from '../api/checked.ts'
import { accountName, eventType, oneOrMore, subscriptionName } from '../api/parts.ts'
import { problemResponse } from '../problem.ts'
import { LiveStream } from './live-stream.ts'
import { LiveStreams } from './live-streams.ts'

const PLACE = 'must be the `id` of an event of this stream'

const STREAM = createRoute({
  method: 'get',
  path: '/stream',
  summary: 'Server-Sent Events: `event` as it rings (a payload without `object`), `delivery` as its row changes',
  request: {
    headers: z.object({
      'last-event-id': z
        .string()
        .regex(/^\d{1,15}$/, PLACE)
        .optional()
        .openapi({ description: 'Resumes after this place; left out: from now.' }),
    }),
    query: z.object({
      account: accountName.optional(),
      type: oneOrMore(eventType).openapi({ description: 'An event type, or a glob; may be given several times.' }),
      subscription: subscriptionName.optional().openapi({ description: 'Only its rows, and no events.' }),
    }),
  },
  responses: {
    200: { description: 'A stream without end.', content: { 'text/event-stream': { schema: z.string() } } },
    ...LIST_PROBLEMS,
  },
})

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Tells nginx to pass on each event as it comes.
  'X-Accel-Buffering': 'no',
} as const

/** `/stream`: what happens, as it happens. */
export function streamRoutes(context: AdminContext): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  const streams = new LiveStreams(context)
  routes.openapi(STREAM, async (c) => {
    if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS })
    const { account, subscription, type: globs } = c.req.valid('query')
    const after = c.req.valid('header')['last-event-id']
    const { lastPlace: last } = await context.store.logEnds()
    if (streams.isFull) return problemResponse({ status: 503, detail: TOO_MANY, headers: { 'Retry-After': '5' } })
    const filter = {
      ...(account !== undefined && { account }),
      ...(subscription !== undefined && { subscription }),
      ...(globs !== undefined && { types: globs.flatMap(typesLike) }),
    }
    const stream = new LiveStream(Math.min(Number(after ?? last), last), filter, c.env.peer.hangUp)
    streams.add(stream, c.get('isStillKnown'))
    return new Response(stream.body, { headers: HEADERS })
  })
  return routes
}

const TOO_MANY = 'So many streams are open that there is no place for another: try again in a moment.'
