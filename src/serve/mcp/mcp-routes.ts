import { Hono } from 'hono'
import { inTime } from '../../clock.ts'
import type { AdminEnv } from '../admin-env.ts'
import { mayAct, actsAs, type Asker } from '../admin-context.ts'
import { limitedBody, parsed } from '../api/request-body.ts'
import { subscribeFor } from '../api/subscribe-for.ts'
import { lookingOf } from '../page-reader.ts'
import { problemResponse } from '../problem.ts'
import type { Desks } from '../scope/desks.ts'
import { MCP_PATH } from './mcp-path.ts'
import { postedOf } from './posted.ts'
import type { Callbacks, ToolDesk } from './tool-desk.ts'
import { TOOLS } from './tools.ts'

/** `POST /mcp`: the Model Context Protocol. What only reads is answered where pages are made. */
export function mcpRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.post(MCP_PATH, limitedBody, async (c) => {
    const posted = postedOf(c.req.raw.headers, await c.req.text())
    const message = parsed(posted.body)
    if (Array.isArray(message) && message.length > MOST_TOGETHER)
      return problemResponse({ status: 413, detail: `At most ${MOST_TOGETHER} messages are sent together.` })
    if (desks.reader !== null && !asksToAct(message)) {
      const looked = desks.reader({ ...lookingOf(c), posted })
      const look = await inTime(looked, { clock: desks.clock, ms: PATIENCE_MS, late: 'late' })
      if (look === 'late') return problemResponse({ status: 503, detail: LATE, headers: { 'Retry-After': '5' } })
      if (look !== null) {
        const headers = look.headers.map(([name, value]): [string, string] => [name, value])
        return c.newResponse(look.body, new Response(null, { status: look.status, headers }))
      }
    }
    const asker = c.get('asker')
    // The protocol's code is loaded with the first message: most never speak it.
    const { answerPosted } = await import('./answer-posted.ts')
    return await answerPosted(posted, toolDeskOf(asker, desks))
  })
  routes.all(MCP_PATH, ({ req: { method } }) =>
    problemResponse({ status: 405, detail: `${method} is not possible here: POST is.`, headers: { Allow: 'POST' } }),
  )
  return routes
}

/** A tool says by itself that it took longer than 5 s: only what waits for its turn comes later. */
const PATIENCE_MS = 6_000
const LATE = 'What others ask for takes all the time: ask again in a few seconds.'

/** An old revision lets several messages be sent as one: each is asked for its own answer. */
const MOST_TOGETHER = 20

const ACTING: ReadonlySet<unknown> = new Set(TOOLS.flatMap(({ acts, name }) => (acts === null ? [] : [name])))

/** Whether a message calls for something to be done, or one of several. */
function asksToAct(message: unknown): boolean {
  if (Array.isArray(message)) return message.some(asksToAct)
  if (typeof message !== 'object' || message === null || !('params' in message)) return false
  const { params } = message
  return typeof params === 'object' && params !== null && 'name' in params && ACTING.has(params.name)
}

/** What tools see and do on behalf of whoever asks. */
function toolDeskOf(asker: Asker, desks: Desks): ToolDesk {
  const desk = desks.deskOf(asker)
  const { access, accounts, clock, log, reports, store, version } = desk
  const actions = desk.actionsOf(asker)
  return {
    clock,
    log,
    version,
    store,
    accounts,
    publicUrl: () => access().publicUrl,
    configSchema: desk.configSchema,
    status: async () => await reports.status(STATUS_PATIENCE_MS),
    actions: mayAct(asker) ? { ...actions, by: actsAs(asker), callbacks: callbacksOf(asker, desks) } : null,
  }
}

/** Subscriptions of agents go to hosts that the file names: where it names none, nobody said that they may. */
function callbacksOf(asker: Asker, desks: Desks): Callbacks | null {
  const desk = desks.deskOf(asker)
  const hosts = desk.callbackHosts()
  if (hosts.length === 0) return null
  return {
    hosts,
    subscribe: async (keys) => await subscribeFor(desks, asker, keys),
    unsubscribe: async (name) => await desk.actionsOf(asker).unsubscribe(name),
  }
}

/** What takes a look at all that is read is left out of the status where it takes longer. */
const STATUS_PATIENCE_MS = 1_000
