import { describe, expect, test } from 'vitest'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { field, isJsonObject, textField } from '../../src/model/json.ts'
import { batch, ring, sampleEvent, sampleHold, sampleState, T, write } from '../store/samples.ts'
import { Contract, itemsOf } from './contract.ts'
import { Desk, SECRETS, TOKEN, type Answer } from './desk.ts'

const HOSTILE = '<script>alert(1)</script>\u001b[31m\u202e'

async function opened(): Promise<{ desk: Desk; api: Contract }> {
  const desk = await Desk.open()
  return { desk, api: await Contract.of(desk) }
}

/** Five events of a shipment, the last of them an invoice's, with rows of `quiet`, which is disabled. */
async function fill({ store }: Desk): Promise<void> {
  const events = [1, 2, 3, 4].map((version) =>
    sampleEvent(`evt_${version}`, {
      subject: { resource: 'shipment', id: `SHP/${version} ${HOSTILE}`, version, previousEventId: null },
      timestamp: T + version * 60_000,
    }),
  )
  const subject = { resource: 'invoice', id: 'INV-1', version: 1, previousEventId: null } as const
  const invoice = sampleEvent('evt_5', { type: 'invoice.created', subject, timestamp: T + 300_000, changes: null })
  for (const event of [...events, invoice]) await ring(store, [event], ['quiet'])
  await store.startPass('acme', 'shipment', T)
  await store.commit(batch({ records: [write(sampleState(`SHP/1 ${HOSTILE}`, { version: 1, lastEventId: 'evt_1' }))] }))
  await store.commit(batch({ hold: { resource: 'shipment', hold: sampleHold(), expectedVerdict: null } }))
}

const READS = [
  '/subscriptions/quiet/feed',
  '/subscriptions/quiet/feed?after=2&limit=1',
  '/status',
  '/accounts',
  '/accounts/acme',
  '/subscriptions',
  '/subscriptions/erp',
  '/plan',
  '/holds',
  '/events',
  '/events/evt_1',
  '/deliveries',
  '/deliveries?event=evt_1&state=held&state=pending',
  '/records/shipment',
  '/records/shipment?q=shp&account=acme&status=booked',
  '/records/invoice',
  '/records/invoice?due=any',
  `/records/shipment/acme/${encodeURIComponent(`SHP/1 ${HOSTILE}`)}`,
  '/search?q=shp&account=acme&limit=3',
  '/search?q=%27%22%25_%5C*%20NOT%20%28',
  '/slips',
  '/reliability',
  '/reliability?by=lane&carrier=One&lane=CNSHA-NLRTM',
  '/exceptions',
  '/exceptions?state=open&state=acknowledged&type=shipment.problem_reported&subject=A',
]

test('the document is OpenAPI 3.1, and names every event type', { tags: 'long' }, async () => {
  const { api } = await opened()
  expect(await api.problems()).toBeNull()
  const webhooks = field(api.document, 'webhooks')
  expect(Object.keys(isJsonObject(webhooks) ? webhooks : {})).toEqual(EVENT_CATALOGUE.map(({ type }) => type))
})

/** The names of operations, which are those of functions in clients that are generated: they stay. */
const OPERATIONS = [
  'acceptHold',
  'acknowledgeException',
  'acknowledgeFeed',
  'cancelSnapshot',
  'createSubscription',
  'deleteSubscription',
  'disableSubscription',
  'discardSubscription',
  'enableSubscription',
  'getAccount',
  'getDelivery',
  'getDocumentContent',
  'getEvent',
  'getException',
  'getFeed',
  'getPlan',
  'getRecord',
  'getStatus',
  'getSubscription',
  'listAccounts',
  'listDeliveries',
  'listEvents',
  'listExceptions',
  'listHolds',
  'listPublicKeys',
  'listRecords',
  'listReliability',
  'listSlips',
  'listSubscriptions',
  'rejectHold',
  'reopenException',
  'retryDeliveries',
  'retryDelivery',
  'rotateSubscriptionSecret',
  'search',
  'sendSnapshot',
  'streamEvents',
  'testSubscription',
  'updateSubscription',
]

test('every operation has a name of its own, which stays', async () => {
  const { api } = await opened()
  const operations = (part: string): readonly string[] => {
    const paths = field(api.document, part)
    const methods = Object.values(isJsonObject(paths) ? paths : {}).flatMap((each) =>
      isJsonObject(each) ? Object.values(each) : [],
    )
    return methods.map((each) => textField(each, 'operationId') ?? '')
  }
  expect(operations('paths').toSorted()).toEqual(OPERATIONS)
  const all = [...operations('paths'), ...operations('webhooks')]
  expect(new Set(all).size).toBe(all.length)
  for (const name of all) expect(name).toMatch(/^[a-z][a-zA-Z]+$/)
})

test('every answer is as the document says, and holds no secret', async () => {
  const { desk, api } = await opened()
  await fill(desk)
  for (const path of READS) {
    const answer = await api.ask(`/api/v1${path}`)
    expect([path, answer.status]).toEqual([path, 200])
    for (const secret of SECRETS) expect(answer.text).not.toContain(secret)
  }
  const [row] = itemsOf(await api.ask('/api/v1/deliveries'))
  expect((await api.ask(`/api/v1/deliveries/${textField(row, 'id')}`)).json).toMatchObject({ state: 'held', tried: [] })
})

test('the page of the system says what the status says', async () => {
  const { desk, api } = await opened()
  await fill(desk)
  await desk.store.disable('erp', { reason: 'gone', at: T })
  const { json } = await api.ask('/api/v1/status')
  const needs = isJsonObject(json) && Array.isArray(json['needs']) ? json['needs'] : []
  const { text } = await desk.ask('/system', { token: TOKEN })
  expect(needs.length).toBeGreaterThan(0)
  for (const need of needs) expect(text).toContain(textField(need, 'what'))
})

const FOUND = [
  ['type=invoice.*', ['evt_5']],
  ['type=*.created&type=shipment.departed', ['evt_5']],
  ['type=shipment.*&until=2026-11-21T08:02:00Z', ['evt_1']],
  ['since=2026-11-21T08:04:00Z', ['evt_5', 'evt_4']],
  ['resource=invoice', ['evt_5']],
  ['subject=INV-1', ['evt_5']],
  ['account=nobody', []],
  ['type=nothing.like_it', []],
  ['colour=red&limit=1', ['evt_5']],
] as const

describe('lists', () => {
  test('are read part by part, newest first, without gaps', async () => {
    const { desk, api } = await opened()
    await fill(desk)
    const ids: unknown[] = []
    let next: string | null = null
    do {
      const cursor = next === null ? '' : `&cursor=${next}`
      const answer: Answer = await api.ask(`/api/v1/events?limit=2${cursor}`)
      ids.push(...itemsOf(answer).map(({ id }) => id))
      next = textField(answer.json, 'next')
    } while (next !== null)
    expect(ids).toEqual(['evt_5', 'evt_4', 'evt_3', 'evt_2', 'evt_1'])
  })

  test('show what is asked for', async () => {
    const { desk, api } = await opened()
    await fill(desk)
    for (const [query, ids] of FOUND)
      expect([query, itemsOf(await api.ask(`/api/v1/events?${query}`)).map(({ id }) => id)]).toEqual([query, ids])
  })
})

const MALFORMED = [
  ['/events?limit=0', 'limit'],
  ['/events?limit=201', 'limit'],
  ['/events?limit=1e1', 'limit'],
  ['/events?limit=1&limit=2', 'limit'],
  ['/events?cursor=%20', 'cursor'],
  ['/events?since=yesterday', 'since'],
  ['/events?until=2026-02-30', 'until'],
  ['/events?account=A%20B', 'account'],
  ['/events?resource=ship', 'resource'],
  ['/events?type=a%20b', 'type'],
  ['/deliveries?state=lost', 'state'],
  ['/records/ship', 'resource'],
  ['/slips?since=7', 'since'],
  ['/search', 'q'],
  ['/reliability?by=vessel', 'by'],
  ['/reliability?lane=Shanghai', 'lane'],
  ['/records/invoice?due=soon', 'due'],
] as const

describe('problems', () => {
  test('a malformed parameter is named', async () => {
    const { api } = await opened()
    for (const [path, parameter] of MALFORMED) {
      const { json } = await api.ask(`/api/v1${path}`)
      expect(json).toMatchObject({ status: 422, errors: [{ name: expect.stringContaining(parameter) }] })
      expect(field(json, 'detail')).toContain(parameter)
    }
  })

  test('what is wrong is said in words, also where one value or several may be given, and of a body as a whole', async () => {
    const { api } = await opened()
    const glob = await api.ask('/api/v1/events?type=a%20b')
    expect(field(glob.json, 'detail')).toBe('`type` must be an event type, or a glob such as shipment.* or *.created.')
    const list = await api.ask('/api/v1/deliveries/retry', { method: 'POST', body: '[]' })
    expect(field(list.json, 'detail')).toMatch(/^The body: .*expected object, received array\.$/)
  })

  test('a cursor of another list is none', async () => {
    const { api } = await opened()
    const slice = Buffer.from(JSON.stringify({ list: 'holds', after: 'a' })).toString('base64url')
    for (const path of [
      '/events?cursor=abc',
      '/deliveries?cursor=eyJhZnRlciI6ImEifQ',
      '/accounts?cursor=abc',
      `/accounts?cursor=${slice}`,
    ]) {
      const { json } = await api.ask(`/api/v1${path}`)
      const errors = [{ in: 'query', name: 'cursor', detail: expect.stringContaining('none of this list') }]
      expect(json).toMatchObject({ status: 422, detail: expect.stringContaining('cursor'), errors })
    }
  })

  test('what there is not is not found', async () => {
    const { api } = await opened()
    for (const path of [
      '/events/evt_none',
      '/deliveries/dlv_none',
      '/accounts/nobody',
      '/subscriptions/nobody',
      '/subscriptions/nobody/feed',
      '/records/shipment/acme/NONE',
    ]) {
      expect((await api.ask(`/api/v1${path}`)).json).toMatchObject({ status: 404, title: 'Not Found' })
    }
  })

  test('what there is not, and what is not possible, are problems too', async () => {
    const { desk } = await opened()
    const ask = async (method: 'GET' | 'DELETE' | 'PUT', path: string) => await desk.ask(path, { method, token: TOKEN })
    expect((await ask('GET', '/api/v1/nothing')).json).toMatchObject({ status: 404 })
    expect((await ask('GET', '/api/nothing')).json).toMatchObject({ status: 404 })
    expect((await ask('GET', '/api/v1')).json).toMatchObject({ status: 404 })
    const refused = await ask('DELETE', '/api/v1/events')
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD'])
    expect((await ask('PUT', '/api/v1/subscriptions/erp/test')).headers.allow).toBe('POST')
    expect((await ask('GET', '/api/v1/events/%E0%A4%A')).status).toBeLessThan(500)
  })

  test.each([
    ['nonsense', 400],
    ['', 400],
    ['[]', 422],
    ['{"subscription":"erp"}', 422],
    ['{"subscription":"erp","since":"soon"}', 422],
    ['{"subscription":"nobody","since":"1h"}', 404],
    [`{"subscription":"${'x'.repeat(70_000)}"}`, 413],
  ])('a retry of %j is refused: %i', async (body, status) => {
    const { api } = await opened()
    const answer = await api.ask('/api/v1/deliveries/retry', { method: 'POST', body })
    expect(answer.json).toMatchObject({ status })
    expect(answer.headers['connection'] === 'close').toBe(status === 413)
  })
})

describe('what is done', () => {
  const post = { method: 'POST' } as const

  test('a subscription is tested, by one attempt', async () => {
    const { desk, api } = await opened()
    const answer = await api.ask('/api/v1/subscriptions/erp/test', post)
    expect(answer.json).toMatchObject({ subscription: 'erp', delivered: true, state: 'delivered', status: 200 })
    expect(desk.receiver.taken).toEqual(['shipbell.test'])
    desk.receiver.status = 500
    expect((await api.ask('/api/v1/subscriptions/erp/test', post)).json).toMatchObject({
      delivered: false,
      status: 500,
    })
    expect(desk.logged('admin.acted')).toMatchObject([{ action: 'test' }, { action: 'test' }])
  })

  test('a subscription is disabled, enabled again, and what it holds is sent', async () => {
    const { desk, api } = await opened()
    expect((await api.ask('/api/v1/subscriptions/erp/disable', post)).json).toMatchObject({ disabled: true })
    await ring(desk.store, [sampleEvent('evt_1')], ['erp'])
    expect((await api.ask('/api/v1/subscriptions/erp')).json).toMatchObject({
      state: 'disabled',
      deliveries: { held: 1 },
    })
    expect((await api.ask('/api/v1/subscriptions/erp/enable', post)).json).toMatchObject({ released: 1 })
    await desk.clock.advance(1_000)
    await expect.poll(() => desk.receiver.taken).toEqual(['shipment.status_changed'])
  })

  test('what is held is dropped', async () => {
    const { desk, api } = await opened()
    await fill(desk)
    expect((await api.ask('/api/v1/subscriptions/quiet/discard', post)).json).toMatchObject({ discarded: 5 })
    expect((await api.ask('/api/v1/subscriptions/quiet')).json).toMatchObject({ deliveries: { held: 0, discarded: 5 } })
  })

  test('what is disabled in the file, or not in it, is enabled there', async () => {
    const { api } = await opened()
    expect((await api.ask('/api/v1/subscriptions/quiet/enable', post)).json).toMatchObject({ status: 409 })
    expect((await api.ask('/api/v1/subscriptions/nobody/enable', post)).json).toMatchObject({ status: 404 })
  })

  test('a delivery is sent again, and all that were not delivered, after their number', async () => {
    const { desk, api } = await opened()
    desk.receiver.status = 500
    await ring(desk.store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp'])
    await desk.clock.advance(1_000)
    await expect.poll(() => desk.receiver.asked).toBe(2)
    desk.receiver.status = 200
    const ask = { ...post, body: JSON.stringify({ subscription: 'erp', since: '1h', dry_run: true }) }
    const dry = await api.ask('/api/v1/deliveries/retry', ask)
    expect([dry.status, dry.json]).toEqual([200, { deliveries: 2 }])
    const wet = await api.ask('/api/v1/deliveries/retry', {
      ...post,
      body: JSON.stringify({ subscription: 'erp', since: '1h' }),
    })
    expect([wet.status, wet.json]).toEqual([202, { deliveries: 2 }])
    await desk.clock.advance(2_000)
    await expect.poll(() => desk.receiver.taken.length).toBe(2)
    const [row] = itemsOf(await api.ask('/api/v1/deliveries?state=delivered&limit=1'))
    const again = await api.ask(`/api/v1/deliveries/${textField(row, 'id')}/retry`, post)
    expect([again.status, again.json]).toEqual([202, { deliveries: 1 }])
    expect(desk.logged('admin.acted')).toMatchObject([
      { action: 'retry', subscription: 'erp' },
      { action: 'retry', delivery: row?.id },
    ])
  })

  test('a retry says that an endpoint fails, and is tried with one event first, or that it is disabled', async () => {
    const { desk, api } = await opened()
    desk.receiver.status = 500
    await ring(
      desk.store,
      Array.from({ length: 5 }, (_, n) => sampleEvent(`evt_${n}`)),
      ['erp'],
    )
    await desk.clock.advance(1_000)
    await expect.poll(() => desk.receiver.asked).toBeGreaterThanOrEqual(4)
    await expect.poll(async () => (await desk.store.endpointFacts())[0]?.failuresInARow).toBeGreaterThanOrEqual(4)
    const body = JSON.stringify({ subscription: 'erp', since: '1h' })
    const probed = {
      notes: [expect.stringMatching(/^erp failed \d+ times in a row: it is tried with one event at once/)],
    }
    expect((await api.ask('/api/v1/deliveries/retry', { ...post, body })).json).toMatchObject(probed)
    const [row] = itemsOf(await api.ask('/api/v1/deliveries?limit=1'))
    const one = `${textField(row, 'id')}/retry`
    expect((await api.ask(`/api/v1/deliveries/${one}`, post)).json).toMatchObject(probed)
    const page = await desk.ask(`/deliveries/${one}`, { method: 'POST', token: TOKEN })
    const cookie = [page.headers['set-cookie'] ?? []]
      .flat()
      .map((each) => each.split(';')[0])
      .join('; ')
    const led = await desk.ask(String(page.headers.location), { token: TOKEN, headers: { cookie } })
    expect(led.text).toMatch(/It is sent again now\. erp failed \d+ times in a row/)
    await api.ask('/api/v1/subscriptions/erp/disable', post)
    expect((await api.ask(`/api/v1/deliveries/${one}`, post)).json).toEqual({
      deliveries: 0,
      notes: ['erp is disabled: its events are held until `shipbell subscriptions enable erp`.'],
    })
  })

  test('a held removal is judged, once', async () => {
    const { desk, api } = await opened()
    await fill(desk)
    const accept = '/api/v1/holds/acme/shipments/accept'
    expect((await api.ask(accept, post)).json).toMatchObject({
      account: 'acme',
      resource: 'shipments',
      verdict: 'accept',
    })
    expect((await api.ask('/api/v1/holds/acme/shipments/reject', post)).status).toBe(200)
    expect((await api.ask('/api/v1/holds/acme/shipments/reject', post)).json).toMatchObject({ status: 409 })
    expect((await api.ask('/api/v1/holds/acme/boats/accept', post)).json).toMatchObject({ status: 422 })
    expect((await api.ask('/api/v1/holds/nobody/shipments/accept', post)).json).toMatchObject({ status: 404 })
  })

  test('of two holds of a list the one is judged that is named', async () => {
    const { desk, api } = await opened()
    await fill(desk)
    await desk.store.commit(batch({ unproved: { resource: 'shipment', add: ['SHP-1'], drop: [], at: T } }))
    const accept = '/api/v1/holds/acme/shipments/accept'
    expect(itemsOf(await api.ask('/api/v1/holds')).map(({ reason }) => reason)).toEqual(['too_many', 'unproved'])
    expect((await api.ask(accept, post)).json).toMatchObject({ status: 409 })
    expect((await api.ask(`${accept}?reason=late`, post)).json).toMatchObject({ status: 422 })
    expect((await api.ask(`${accept}?reason=unproved`, post)).json).toMatchObject({
      reason: 'unproved',
      missing: 1,
      sample: ['SHP-1'],
      verdict: 'accept',
    })
    expect((await desk.store.doubts('acme', 'shipment')).hold).toMatchObject({ verdict: null })
    expect((await desk.store.doubts('acme', 'shipment')).unproved).toEqual([{ id: 'SHP-1', verdict: 'accept' }])
  })

  test('a payload that expired is not sent again', async () => {
    const { desk, api } = await opened()
    await ring(desk.store, [sampleEvent('evt_1')], ['erp'])
    await desk.clock.advance(1_000)
    await expect.poll(() => desk.receiver.taken.length).toBe(1)
    await desk.clock.advance(1_000)
    await desk.store.expirePayloads({ before: T + 60_000, now: T + 60_000, after: null, limit: 10 })
    expect((await api.ask('/api/v1/deliveries/evt_1/retry', post)).json).toMatchObject({ status: 409 })
  })
})

describe('exceptions', () => {
  const stands = { type: 'shipment.problem_reported', milestone: 'arrival', at: T } as const

  async function standing() {
    const { api, desk } = await opened()
    const opens = ['A', 'B'].map((id) => ({ ...stands, subject: { resource: 'shipment' as const, id } }))
    await desk.store.commit(batch({ exceptions: { opens } }))
    const closes = [{ resource: 'shipment', subjectId: 'B', by: 'removed', at: T + 1 }] as const
    await desk.store.commit(batch({ exceptions: { closes } }))
    const [closed = '', open = ''] = itemsOf(await api.ask('/api/v1/exceptions')).map(
      (each) => textField(each, 'id') ?? '',
    )
    return { api, desk, closed, open }
  }

  test('are listed by their state, and shown one by one', async () => {
    const { api, closed, open } = await standing()
    const listed = async (query: string) => itemsOf(await api.ask(`/api/v1/exceptions${query}`)).map(({ id }) => id)
    expect(await listed('?state=open')).toEqual([open])
    expect(await listed('?state=closed&account=acme&subject=B')).toEqual([closed])
    expect(await listed('?type=invoice.overdue')).toEqual([])
    expect((await api.ask(`/api/v1/exceptions/${closed}`)).json).toMatchObject({
      state: 'closed',
      closed_by: 'removed',
    })
    expect((await api.ask(`/api/v1/exceptions/${closed.slice(0, 12)}`)).json).toMatchObject({ status: 404 })
    expect((await api.ask('/api/v1/exceptions?state=lost')).json).toMatchObject({ status: 422 })
  })

  test('are acknowledged with a note and until when, and opened again', async () => {
    const { api, closed, desk, open } = await standing()
    const act = async (path: string, body?: string) =>
      await api.ask(`/api/v1/exceptions/${path}`, { method: 'POST', ...(body !== undefined && { body }) })
    const until = new Date(desk.clock.now() + 172_800_000).toISOString()
    expect((await act(`${open}/acknowledge`, '{"note":"called","until":"2d"}')).json).toMatchObject({
      state: 'acknowledged',
      acknowledged: { by: 'token', note: 'called', until },
    })
    expect((await act(`${open}/reopen`)).json).toMatchObject({ state: 'open', acknowledged: null })
    expect((await act(`${open}/acknowledge`)).json).toMatchObject({ acknowledged: { note: null, until: null } })
    const refused = [
      await act(`${closed}/acknowledge`, '{}'),
      await act(`${closed}/reopen`),
      await act('exc_none/acknowledge', '{}'),
      await act(`${open}/acknowledge`, 'nonsense'),
      await act(`${open}/acknowledge`, '{"until":"soon"}'),
      await act(`${open}/acknowledge`, '{"until":"2020-01-01T00:00:00Z"}'),
      await act(`${open}/acknowledge`, '{"until":"99999999d"}'),
    ]
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 404, 400, 422, 422, 422])
    expect(desk.logged('admin.acted')).toMatchObject([
      { action: 'acknowledge', exception: open },
      { action: 'reopen', exception: open },
      { action: 'acknowledge', exception: open },
    ])
  })
})
