import { MCP_PATH } from '../mcp/mcp-path.ts'
import type { Desk } from './desks.ts'

/** The parameters of a path, by name, as routes read them. */
type Params = Readonly<Record<string, string | undefined>>

/** Whether what a path names is there for whoever asks. What is not, does not exist for them. */
type Look = (desk: Desk, params: Params) => boolean | Promise<boolean>

/** The kinds of narrower tokens, and for each whether it may ask. A kind that is left out gets 404. */
interface Opens {
  readonly accounts?: Look
  readonly subscription?: Look
}

/** A path of the interface, and what each of its methods is opened to. */
export interface RouteRule {
  readonly path: string
  readonly methods: Readonly<Record<string, Opens>>
}

/** The route narrows what it shows by itself, as its desk does. */
const narrows: Look = () => true

const account: Look = ({ sight }, { account: name, name: other }) => sight?.account(name ?? other ?? null) ?? true

const subscription: Look = ({ sight }, { name = '' }) => sight?.subscriptions.has(name) ?? true

const delivery: Look = async ({ store }, { id = '' }) => (await store.deliveries([id])).length > 0

const event: Look = async ({ store }, { id = '' }) => (await store.event(id)) !== null

/** A row, or an event: of an event all rows are meant that are seen. */
const rows: Look = async (desk, params) =>
  (await delivery(desk, params)) ||
  (await desk.store.deliveryPage({ eventId: params['id'] ?? '', limit: 1 })).items.length > 0

const exception: Look = async ({ clock, store }, { id = '' }) =>
  (await store.exceptionPage({ now: clock.now(), limit: 2, named: id })).items.some((each) => each.id === id)

/** A document of which the subscription was given an event, be it a snapshot. */
const documentGiven: Look = async ({ store }, { account: name = '', id = '' }) => {
  let cursor: string | null = ''
  while (cursor !== null) {
    const asked = { account: name, resource: 'document' as const, subjectId: id, addressed: true, limit: MOST_AT_ONCE }
    const page = await store.eventPage({ ...asked, ...(cursor !== '' && { cursor }) })
    if (page.items.length > 0) return true
    cursor = page.next
  }
  return false
}

const MOST_AT_ONCE = 200

/** An event's page finds it by a shortened id, too, and looks for that among what is seen. */
const GET_NARROWED = { GET: { accounts: narrows } } as const
const GET_ACCOUNT = { GET: { accounts: account } } as const
const GET_SUBSCRIPTION = { GET: { accounts: subscription } } as const
const ACT_ON_SUBSCRIPTION = { POST: { accounts: subscription } } as const
const ACT_ON_ACCOUNT = { POST: { accounts: account } } as const
/** For `http.token` and `http.viewer_token` alone. */
const WHOLE = { GET: {} } as const

const API: readonly RouteRule[] = [
  { path: '/api/openapi.json', methods: { GET: { accounts: narrows, subscription: narrows } } },
  { path: '/api/v1/status', methods: GET_NARROWED },
  { path: '/api/v1/accounts', methods: GET_NARROWED },
  { path: '/api/v1/accounts/:name', methods: GET_ACCOUNT },
  // What is made with a token of accounts lives within them.
  { path: '/api/v1/subscriptions', methods: { GET: { accounts: narrows }, POST: { accounts: narrows } } },
  {
    path: '/api/v1/subscriptions/:name',
    methods: {
      GET: { accounts: subscription, subscription },
      PATCH: { accounts: subscription },
      DELETE: { accounts: subscription },
    },
  },
  { path: '/api/v1/subscriptions/:name/rotate-secret', methods: ACT_ON_SUBSCRIPTION },
  { path: '/api/v1/subscriptions/:name/feed', methods: { GET: { accounts: subscription, subscription } } },
  { path: '/api/v1/subscriptions/:name/feed/ack', methods: { POST: { accounts: subscription, subscription } } },
  { path: '/api/v1/plan', methods: WHOLE },
  { path: '/api/v1/holds', methods: GET_NARROWED },
  { path: '/api/v1/events', methods: { GET: { accounts: narrows, subscription: narrows } } },
  { path: '/api/v1/events/:id', methods: { GET: { accounts: event, subscription: event } } },
  { path: '/api/v1/deliveries', methods: { GET: { accounts: narrows, subscription: narrows } } },
  { path: '/api/v1/deliveries/:id', methods: { GET: { accounts: delivery, subscription: delivery } } },
  { path: '/api/v1/deliveries/:id/retry', methods: { POST: { accounts: rows } } },
  { path: '/api/v1/deliveries/retry', methods: { POST: { accounts: narrows } } },
  { path: '/api/v1/records/:resource', methods: GET_NARROWED },
  { path: '/api/v1/records/:resource/:account/:id', methods: GET_ACCOUNT },
  {
    path: '/api/v1/documents/:account/:id/content',
    methods: { GET: { accounts: account, subscription: documentGiven } },
  },
  { path: '/api/v1/search', methods: GET_NARROWED },
  { path: '/api/v1/slips', methods: GET_NARROWED },
  { path: '/api/v1/reliability', methods: GET_NARROWED },
  { path: '/api/v1/exceptions', methods: GET_NARROWED },
  { path: '/api/v1/exceptions/:id', methods: { GET: { accounts: exception } } },
  { path: '/api/v1/exceptions/:id/acknowledge', methods: { POST: { accounts: exception } } },
  { path: '/api/v1/exceptions/:id/reopen', methods: { POST: { accounts: exception } } },
  { path: '/api/v1/subscriptions/:name/test', methods: ACT_ON_SUBSCRIPTION },
  {
    path: '/api/v1/subscriptions/:name/snapshot',
    methods: { POST: { accounts: subscription }, DELETE: { accounts: subscription } },
  },
  { path: '/api/v1/subscriptions/:name/enable', methods: ACT_ON_SUBSCRIPTION },
  { path: '/api/v1/subscriptions/:name/disable', methods: ACT_ON_SUBSCRIPTION },
  { path: '/api/v1/subscriptions/:name/discard', methods: ACT_ON_SUBSCRIPTION },
  { path: '/api/v1/holds/:account/:resource/accept', methods: ACT_ON_ACCOUNT },
  { path: '/api/v1/holds/:account/:resource/reject', methods: ACT_ON_ACCOUNT },
  { path: '/api/v1/stream', methods: GET_NARROWED },
  { path: '/metrics', methods: WHOLE },
  // Tools see and do what the API lets the token see and do.
  { path: MCP_PATH, methods: { POST: { accounts: narrows } } },
]

const PAGES: readonly RouteRule[] = [
  { path: '/', methods: GET_NARROWED },
  // Each exception that a form names is looked for among what is seen.
  { path: '/exceptions/acknowledge', methods: { ...GET_NARROWED, POST: { accounts: narrows } } },
  { path: '/exceptions/reopen', methods: { POST: { accounts: narrows } } },
  { path: '/system', methods: WHOLE },
  { path: '/plan', methods: WHOLE },
  { path: '/records/:resource', methods: GET_NARROWED },
  { path: '/records/:resource/:account/', methods: GET_ACCOUNT },
  { path: '/records/:resource/:account/:id', methods: GET_ACCOUNT },
  { path: '/search', methods: GET_NARROWED },
  { path: '/slips', methods: GET_NARROWED },
  { path: '/reliability', methods: GET_NARROWED },
  { path: '/events', methods: GET_NARROWED },
  // A shortened id is looked for among what is seen.
  { path: '/events/:id', methods: GET_NARROWED },
  { path: '/deliveries', methods: GET_NARROWED },
  { path: '/deliveries/retry', methods: { GET: { accounts: narrows }, POST: { accounts: narrows } } },
  // An event's id leads to its page, where it is looked for.
  { path: '/deliveries/:id', methods: GET_NARROWED },
  { path: '/deliveries/:id/retry', methods: { POST: { accounts: rows } } },
  // Whose work it is knows who keeps it.
  { path: '/jobs/:id', methods: GET_NARROWED },
  { path: '/jobs/:id/cancel', methods: { POST: { accounts: narrows } } },
  { path: '/subscribe', methods: { GET: { accounts: narrows }, POST: { accounts: narrows } } },
  { path: '/subscriptions', methods: GET_NARROWED },
  { path: '/subscriptions/:name', methods: GET_SUBSCRIPTION },
  { path: '/subscriptions/:name/discard', methods: GET_SUBSCRIPTION },
  { path: '/subscriptions/:name/snapshot', methods: { ...GET_SUBSCRIPTION, ...ACT_ON_SUBSCRIPTION } },
  { path: '/subscriptions/:name/cancel', methods: ACT_ON_SUBSCRIPTION },
  { path: '/subscriptions/:name/rotate', methods: ACT_ON_SUBSCRIPTION },
  { path: '/subscriptions/:name/end', methods: { ...GET_SUBSCRIPTION, ...ACT_ON_SUBSCRIPTION } },
  { path: '/subscriptions/:name/:action', methods: ACT_ON_SUBSCRIPTION },
  { path: '/accounts', methods: GET_NARROWED },
  { path: '/accounts/:name', methods: GET_ACCOUNT },
  {
    path: '/accounts/:name/holds/:resource/:verdict',
    methods: { GET: { accounts: account }, POST: { accounts: account } },
  },
  {
    path: '/accounts/:name/holds/:resource/:reason/:verdict',
    methods: { GET: { accounts: account }, POST: { accounts: account } },
  },
]

/**
 * Every path that asks for a token, and what narrower tokens may ask for. What is not here is there for `http.token` and
 * `http.viewer_token` alone; a test finds a route that was forgotten.
 */
export const ROUTE_TABLE: readonly RouteRule[] = [...API, ...PAGES]
