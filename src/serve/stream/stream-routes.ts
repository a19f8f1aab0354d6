import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { typesLike } from '../../model/types-like.ts'
import type { Desks } from '../scope/desks.ts'
import type { Sight } from '../scope/sight.ts'
import type { AdminEnv } from '../admin-env.ts'
import { READ_PROBLEMS } from '../api/answers.ts'
import { checked, malformed } from '../api/checked.ts'
import { accountName, eventType, oneOrMore, subscriptionName } from '../api/parts.ts'
import { problemResponse } from '../problem.ts'
import { LiveStream, type NarrowedStream } from './live-stream.ts'
import type { LiveStreams } from './live-streams.ts'

const PLACE = 'must be the `id` of an event of this stream'

const STREAM = createRoute({
  method: 'get',
  path: '/stream',
  operationId: 'streamEvents',
  summary: 'Server-Sent Events: `event` as it rings (a payload without `object`), `delivery` as its row changes',
  request: {
    headers: z.object({
      'last-event-id': z
        .string()
        .regex(/^[\w-]{1,128}$/, PLACE)
        .optional()
        .openapi({ description: 'Resumes after this place, the `id` of an event; left out: from now.' }),
    }),
    query: z.object({
      account: accountName.optional(),
      type: oneOrMore(eventType).openapi({ description: 'An event type, or a glob; may be given several times.' }),
      subscription: subscriptionName.optional().openapi({ description: 'Only its rows, and no events.' }),
    }),
  },
  responses: {
    200: { description: 'A stream without end.', content: { 'text/event-stream': { schema: z.string() } } },
    ...READ_PROBLEMS,
  },
})

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Tells nginx to pass on each event as it comes.
  'X-Accel-Buffering': 'no',
} as const

/** `/stream`: what happens, as it happens. */
export function streamRoutes(desks: Desks, streams: LiveStreams): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(STREAM, async (c) => {
    if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS })
    const { account, subscription, type: globs } = c.req.valid('query')
    const asker = c.get('asker')
    const { sight } = desks.deskOf(asker)
    const resumed = c.req.valid('header')['last-event-id']
    const after = resumed === undefined ? null : placeOf(resumed, sight)
    if (resumed !== undefined && after === null)
      return malformed('header', [{ code: 'custom', path: ['last-event-id'], message: PLACE }])
    const last = await streams.lastPlace()
    if (streams.isFull) return problemResponse({ status: 503, detail: TOO_MANY, headers: { 'Retry-After': '5' } })
    const filter = {
      ...(account !== undefined && { account }),
      ...(subscription !== undefined && { subscription }),
      ...(globs !== undefined && { types: globs.flatMap(typesLike) }),
      ...(sight !== null && { narrowed: narrowedStream(() => desks.deskOf(asker).sight ?? sight, sight) }),
    }
    const stream = new LiveStream(Math.min(after ?? last, last), filter, c.env.peer.hangUp)
    streams.add(stream, c.get('isStillKnown'))
    return new Response(stream.body, { headers: HEADERS })
  })
  return routes
}

/** The list that sealed places of streams belong to. */
const STREAM_LIST = 'stream'

/** The place of the log that a reader was told; null: it is none. */
function placeOf(id: string, sight: Sight | null): number | null {
  const place = sight === null ? id : (sight.seal.open(STREAM_LIST, id) ?? '')
  return /^\d{1,15}$/.test(place) ? Number(place) : null
}

/** `sightNow`: what is seen as everything is configured by then. */
function narrowedStream(sightNow: () => Sight, { seal }: Sight): NarrowedStream {
  return {
    seesEvent: (account) => sightNow().account(account),
    seesRow: (row) => sightNow().delivery(row),
    idOf: (place) => seal.seal(STREAM_LIST, String(place)),
  }
}

const TOO_MANY = 'So many streams are open that there is no place for another: try again in a moment.'
