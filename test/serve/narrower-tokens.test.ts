import { expect, test } from 'vitest'
import { field, isJsonArray, isJsonObject, textField, type Json, type JsonObject } from '../../src/model/json.ts'
import { createAdminApp } from '../../src/serve/admin-app.ts'
import { ROUTE_TABLE } from '../../src/serve/scope/route-table.ts'
import { sampleDesk } from '../desk/sample-desk.ts'
import { batch, sampleEvent } from '../store/samples.ts'
import { Contract } from './contract.ts'
import { TOKEN, type Answer, type Desk } from './desk.ts'
import { HIDDEN, idsOf, MARK, sharedDesk, TOKENS, type NarrowerName } from './shared-desk.ts'

const NAMES = ['looks', 'operates', 'erp_only'] as const satisfies readonly NarrowerName[]
/** What answers everyone, and the page that says that there is none. */
const OPEN = new Set([
  '/healthz',
  '/readyz',
  '/login',
  '/login/link',
  '/logout',
  '/slack/actions',
  '/.well-known/shipbell-keys',
  '/assets/:name',
  '/*',
])
/** What tokens of one subscription may ask for: nothing else. */
const GIVEN = new Set([
  'GET /api/openapi.json',
  'GET /api/v1/subscriptions/:name',
  'GET /api/v1/subscriptions/:name/feed',
  'POST /api/v1/subscriptions/:name/feed/ack',
  'GET /api/v1/events',
  'GET /api/v1/events/:id',
  'GET /api/v1/deliveries',
  'GET /api/v1/deliveries/:id',
  'GET /api/v1/documents/:account/:id/content',
])
/** What no narrower token may ask for. */
const WHOLE = new Set(['GET /metrics', 'GET /plan', 'GET /system', 'GET /api/v1/plan'])

interface Asked {
  readonly path: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const

const ROUTES: readonly Asked[] = ROUTE_TABLE.flatMap(({ methods, path }) =>
  METHODS.filter((method) => method in methods).map((method) => ({ method, path })),
)

/** What stands in the paths: what is seen, what is hidden, and what nobody has. */
interface Names {
  readonly account: string
  readonly subscription: string
  readonly record: string
  readonly document: string
  readonly event: string
  readonly row: string
  readonly exception: string
}

const MISSING: Names = {
  account: 'no-account-1',
  subscription: 'no-subscription-1',
  record: 'no-record-1',
  document: 'no-document-1',
  event: 'evt_no',
  row: 'dlv_no',
  exception: 'exc_no',
}

interface Owner {
  readonly account: string
  readonly mark: string
  readonly subscription: string
}

async function namesOf(desk: Desk, { account, mark, subscription }: Owner): Promise<Names> {
  const ids = idsOf(mark)
  const { items } = await desk.store.deliveryPage({ subscription, account, limit: 1 })
  const open = await desk.store.exceptionPage({ account, now: 0, limit: 1 })
  const [row, exception] = [items[0]?.id ?? '', open.items[0]?.id ?? '']
  return { account, subscription, record: ids.shipment, document: ids.document, event: ids.risk, row, exception }
}

function pathOf({ path }: Asked, names: Names): string {
  const id = path.includes('deliveries')
    ? names.row
    : path.includes('exceptions')
      ? names.exception
      : path.includes('documents')
        ? names.document
        : path.includes('records')
          ? names.record
          : names.event
  const values: Readonly<Record<string, string>> = {
    name: path.includes('subscriptions') ? names.subscription : names.account,
    account: names.account,
    resource: path.includes('holds') ? 'shipments' : 'shipment',
    id: path.startsWith('/jobs') ? 'no-job' : id,
    verdict: 'accept',
    reason: 'unproved',
    action: 'disable',
  }
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

async function ask(desk: Desk, asked: Asked, who: NarrowerName): Promise<Answer> {
  const { method, path } = asked
  return await desk.ask(path, { method, token: TOKENS[who], ...(path.startsWith('/api') && { body: '{}' }) })
}

/** An answer without what it repeats of the question, of which time it is, and of places that are sealed anew each time. */
function said({ status, text }: Answer, names: Names): string {
  const all = Object.values(names).flatMap((name: string) => [
    name,
    encodeURIComponent(name),
    decodeURI(encodeURIComponent(name)),
  ])
  const own = all.toSorted((one, other) => other.length - one.length)
  const repeated = own.reduce((left, name) => (name === '' ? left : left.replaceAll(name, '?')), text)
  return `${status} ${repeated}`
}

test('the table has every route of the router and of the document, and no other', async () => {
  const app = createAdminApp(sampleDesk({ metrics: async () => ({ contentType: 'text/plain', text: '' }) }).context)
  const served = app.routes.filter(({ method }) => method !== 'ALL').filter(({ path }) => !OPEN.has(path))
  const inRouter = [...new Set(served.map(({ method, path }) => `${method} ${path.replaceAll(/\{.*?\}/g, '')}`))]
  expect(inRouter.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted())
  const desk = await sharedDesk({ hidden: false })
  const { paths } = await Contract.of(desk)
  const inTable = new Set(ROUTE_TABLE.map(({ path }) => path))
  expect(paths.filter((path) => !OPEN.has(path) && !inTable.has(path.replaceAll(/\{(\w+)\}/g, ':$1')))).toEqual([])
})

/** The statuses of which the document of the API tells for a route; null: it is none of the API's. */
function answersOf(document: JsonObject, { method, path }: Asked): readonly string[] | null {
  const template = path.replaceAll(/:(\w+)/g, '{$1}')
  const steps = ['paths', template, method.toLowerCase(), 'responses']
  const answers = steps.reduce<Json>((part, step) => field(part, step) ?? null, document)
  return isJsonObject(answers) ? Object.keys(answers) : null
}

test('a table of all routes and tokens: what is hidden is answered as what is not there', async () => {
  const desk = await sharedDesk()
  const hidden = await namesOf(desk, { account: HIDDEN, mark: MARK, subscription: 'zz-theirs' })
  const seen = await namesOf(desk, { account: 'acme', mark: 'seen', subscription: 'erp' })
  const { document } = await Contract.of(desk)
  for (const asked of ROUTES) {
    const route = `${asked.method} ${asked.path}`
    for (const who of NAMES) {
      if (asked.path === '/api/v1/stream' && who !== 'erp_only') continue
      const [ofHidden, ofMissing] = await Promise.all(
        [hidden, MISSING].map(async (names) =>
          said(await ask(desk, { ...asked, path: pathOf(asked, names) }, who), names),
        ),
      )
      expect(`${route} ${who}: ${ofHidden}`).toBe(`${route} ${who}: ${ofMissing}`)
      expect(ofHidden).not.toMatch(new RegExp(`${MARK}|"${HIDDEN}"|>${HIDDEN}<`))
      if (asked.path.includes(':name') || asked.path.includes(':account') || /api.*:id/.test(asked.path))
        expect([route, who, ofHidden?.slice(0, 3)]).toEqual([route, who, '404'])
      const isOpened = who === 'erp_only' ? GIVEN.has(route) : !WHOLE.has(route)
      // Whoever only looks is told so of what is there, and nothing of what is not; of `/mcp` its tools say so.
      const isRefused =
        who === 'looks' &&
        asked.path !== '/mcp' &&
        (asked.method !== 'GET' || /(?:retry|discard|snapshot|subscribe|end|:verdict)$/.test(asked.path))
      // A test waits for its one attempt.
      if (asked.path.endsWith('/test') && who === 'operates') continue
      const { status } = await desk.during(ask(desk, { ...asked, path: pathOf(asked, seen) }, who))
      const told = answersOf(document, asked)
      if (told !== null) expect([route, who, told]).toEqual([route, who, expect.arrayContaining([String(status)])])
      if (!isOpened) expect([route, who, status]).toEqual([route, who, 404])
      else if (isRefused) expect([route, who, status]).toEqual([route, who, 403])
      else expect([route, who, [401, 403, 405].includes(status)]).toEqual([route, who, false])
    }
  }
})

test('sealed places lead on, are none of another token or list, and say nothing', async () => {
  const desk = await sharedDesk()
  const ids: (string | null)[] = []
  let next: string | null = null
  const seals = new Set<string>()
  do {
    const query = next === null ? '' : `&cursor=${next}`
    const { json } = await desk.ask(`/api/v1/events?limit=1${query}`, { token: TOKENS.looks })
    const items = field(json, 'items')
    ids.push(...(isJsonArray(items) ? items.map((item) => textField(item, 'id')) : []))
    next = textField(json, 'next')
    if (next !== null) seals.add(next)
  } while (next !== null)
  expect(ids).toEqual(['evt_seen3', 'evt_seen2', 'evt_seen1'])
  const [seal = ''] = seals
  const open = async (path: string, token: string) =>
    (await desk.ask(`/api/v1/${path}?limit=1&cursor=${seal}`, { token })).status
  expect(await open('events', TOKENS.looks)).toBe(200)
  expect(await open('events', TOKENS.operates)).toBe(422)
  expect(await open('deliveries', TOKENS.looks)).toBe(422)
  const plain = textField((await desk.ask('/api/v1/events?limit=1', { token: TOKEN })).json, 'next')
  expect((await desk.ask(`/api/v1/events?cursor=${plain}`, { token: TOKENS.looks })).status).toBe(422)
})

test('a token of one subscription is shown payloads as that subscription gets them', async () => {
  const desk = await sharedDesk()
  const token = TOKENS.erp_only
  const list = field((await desk.ask('/api/v1/events', { token })).json, 'items')
  expect(isJsonArray(list) ? list.map((item) => textField(item, 'id')) : []).toEqual(['evt_seen2', 'evt_seen1'])
  const { json } = await desk.ask('/api/v1/events/evt_seen1', { token })
  const data = field(field(json, 'payload'), 'data')
  expect([field(data, 'object'), field(data, 'slack_days'), field(json, 'before'), field(json, 'seen')]).toEqual([
    undefined,
    -1,
    null,
    null,
  ])
  const feed = field((await desk.ask('/api/v1/subscriptions/erp/feed', { token })).json, 'items')
  const inFeed = isJsonArray(feed) ? feed.map((item) => field(item, 'payload')) : []
  expect(inFeed.map((each) => field(field(each, 'delivery'), 'position'))).toEqual([1, 2])
  expect([isJsonArray(list) ? list.toReversed() : [], field(json, 'payload')]).toEqual([inFeed, inFeed[0]])
  const rows = field(json, 'deliveries')
  expect(isJsonArray(rows) ? rows.map((row) => textField(row, 'subscription')) : []).toEqual(['erp'])
  const content = async (id: string) => (await desk.ask(`/api/v1/documents/acme/${id}/content`, { token })).status
  // The file of a document that it was told of is asked for, where there is no platform; of others, nothing is said.
  expect([await content('seen-doc'), await content('seen-other')]).toEqual([502, 404])
  // A snapshot is an event, too, that no list shows.
  const subject = { resource: 'document', id: 'seen-other', version: 0, previousEventId: null } as const
  const snapshot = sampleEvent('evt_snap', { subject, cause: 'snapshot', before: null, changes: null, extras: {} })
  await desk.store.commit(batch({ events: [snapshot], deliveries: [{ eventId: 'evt_snap', subscription: 'erp' }] }))
  expect(await content('seen-other')).toBe(502)
  const about = field((await desk.ask('/api/v1/events?subject=seen-other', { token })).json, 'items')
  expect([about, (await desk.ask('/api/v1/events/evt_snap', { token })).status]).toEqual([[], 200])
})
