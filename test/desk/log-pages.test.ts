import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ShipbellError } from '../../src/errors.ts'
import type { Delivery } from '../../src/model/delivery.ts'
import type { AdminReports } from '../../src/serve/admin-context.ts'
import { sampleProvenance } from '../store/samples.ts'
import { ActingDesk, VIEWER_TOKEN } from './acting-desk.ts'
import { ask, linksOf } from './ask.ts'
import { InMemoryDeskStore } from './in-memory-desk-store.ts'
import { NOW, sampleDesk } from './sample-desk.ts'
import { faultsOf } from './valid-html.ts'

const ESC = '\u001B'
const RIGHT_TO_LEFT = '\u202E'

/** Texts that want to be markup, to run, to colour a terminal, or to turn what stands beside them. */
const HOSTILE = `</title><script>alert(1)</script><img src=x onerror=alert(1)>"' onfocus='x' ${ESC}[31m${RIGHT_TO_LEFT}\u2066\u0000\`x\``

/** A desk on which every text that others said is hostile. */
function hostileDesk(): ActingDesk {
  const desk = new ActingDesk({
    about: {
      reports: {
        ...new ActingDesk().sample.context.reports,
        preview: async () => [{ mediaType: 'text/plain', text: HOSTILE }],
        channel: () => [{ name: 'Posts to', value: HOSTILE }],
      },
    },
  })
  const { store } = desk.sample
  const [event] = store.log
  const [row] = store.rows
  if (event === undefined || row === undefined) throw new Error('The sample rang.')
  store.log = [
    {
      ...event,
      id: 'evt_1',
      subject: { ...event.subject, id: HOSTILE },
      changes: [{ path: `/${HOSTILE}`, from: HOSTILE, to: null }],
    },
  ]
  const failed: Delivery = {
    ...row,
    id: 'dlv_1',
    eventId: 'evt_1',
    state: 'pending',
    attempts: 1,
    lastStatus: 500,
    lastError: HOSTILE,
    nextAttemptAt: NOW,
  }
  store.rows = [failed]
  store.tries.set('dlv_1', [{ at: NOW, durationMs: 9, status: 500, error: HOSTILE, answer: HOSTILE }])
  store.failures = async () => [
    { subscription: 'erp', status: 500, cause: HOSTILE, rows: 1, more: false, example: failed },
  ]
  store.quarantined = [{ account: 'globex', resource: 'document', id: HOSTILE, reason: HOSTILE }]
  store.held = store.held.map((hold) => ({ ...hold, sample: [HOSTILE] }))
  store.endpointOverviews = store.endpointOverviews.map((each) => ({
    ...each,
    lastError: HOSTILE,
    failuresInARow: 9,
    disabled: { reason: HOSTILE, at: NOW, by: 'failing' as const },
  }))
  return desk
}

const PAGES = [
  '/events',
  '/events?type=shipment.*&account=acme&since=7d',
  '/events?subject=nobody',
  '/deliveries',
  '/deliveries?state=exhausted&subscription=ops',
  '/deliveries/retry?subscription=ops&since=7d&missing=on',
  '/subscriptions',
  '/subscriptions/erp',
  '/subscriptions/ops/discard',
  '/accounts',
  '/accounts/globex',
  '/accounts/globex/holds/invoices/accept',
  '/plan',
]

describe('pages of the log', () => {
  test.each(PAGES)('%s is valid HTML, and shows nothing of a secret', async (path) => {
    const { status, text } = await new ActingDesk().get(path)
    expect([path, status]).toEqual([path, 200])
    expect(await faultsOf(text)).toEqual([])
    expect(text).not.toMatch(/\s(?:style|on\w+)=|whsec_/)
  })

  test.each(PAGES.filter((path) => !/\/(?:erp|ops|globex)/.test(path)))(
    '%s is valid HTML where there is nothing yet',
    async (path) => {
      const { status, text } = await new ActingDesk({ about: { store: new InMemoryDeskStore() } }).get(path)
      expect([path, status]).toEqual([path, 200])
      expect(await faultsOf(text)).toEqual([])
    },
  )

  test.each([...PAGES, '/events/evt_1', '/deliveries/dlv_1', '/subscriptions/erp?event=evt_1'])(
    '%s shows hostile text as text',
    async (path) => {
      const { status, text } = await hostileDesk().get(path)
      expect([path, status]).toEqual([path, 200])
      expect(await faultsOf(text)).toEqual([])
      expect(text).not.toMatch(/<(?:script(?! type="module" src="\/assets\/desk\.js")|img|\/title><)/)
      expect(text.replaceAll(/="[^"]*"/g, '=""')).not.toMatch(/<[^<>]*\son\w+\s*=/)
      expect(text.replaceAll(/value="[^"]*"/g, '')).not.toMatch(/(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
    },
  )

  test('what one reading brought of a shipment is one row, named once, that opens to each event', async () => {
    const desk = new ActingDesk()
    const { store } = desk.sample
    const moved = store.log.find(({ type }) => type === 'shipment.eta_changed')
    if (moved?.shipment == null) throw new Error('The sample rang.')
    const shipment = { ...moved.shipment, id: moved.subject.id, name: 'Running <b>shoes' }
    const reading = [
      { ...moved, id: 'evt_eta', shipment, timestamp: NOW, sequence: 91 },
      {
        ...moved,
        id: 'evt_status',
        type: 'shipment.status_changed' as const,
        shipment,
        timestamp: NOW,
        sequence: 92,
        extras: { from: 'booked', to: 'in_progress', regression: false },
      },
    ]
    store.log = [
      { ...moved, id: 'evt_before', shipment, timestamp: NOW - 1, sequence: 90 },
      ...reading,
      ...reading.map((event) => ({ ...event, id: `${event.id}_gone`, expiredAt: NOW })),
    ]
    const { text } = await desk.get('/events')
    expect(await faultsOf(text)).toEqual([])
    const [row = '', ...others] = text.split('<tr data-row').slice(3)
    expect(others).toHaveLength(1)
    expect(row).toContain('data-key="reading-evt_status"')
    const [sight = '', folded = ''] = row.split('<details')
    expect(sight.match(/Running &lt;b&gt;shoes/g)).toHaveLength(1)
    expect(sight).toContain('Status booked → in progress.')
    expect(folded).toContain('2 events')
    expect([...folded.matchAll(/href="\/events\/(evt_\w+)"/g)].map(([, id]) => id)).toEqual(['evt_status', 'evt_eta'])
    expect(row).toContain('#91–92')
  })

  test('a shortened id or a number leads to the event, and several are offered', async () => {
    const desk = new ActingDesk()
    const [first, second] = desk.sample.store.log
    if (first === undefined || second === undefined) throw new Error('The sample rang.')
    expect(await desk.get(`/events/%23${first.sequence}`)).toMatchObject({
      status: 303,
      location: `/events/${encodeURIComponent(first.id)}`,
    })
    expect(await desk.get(`/events?id=%23${first.sequence}`)).toMatchObject({
      location: `/events/%23${first.sequence}`,
    })
    expect(await desk.get('/events/none')).toMatchObject({ status: 404 })
    desk.sample.store.eventsNamed = async () => [first.id, second.id]
    const { status, text } = await desk.get('/events/evt')
    expect(status).toBe(200)
    expect(text).toContain('Which event?')
    expect(await faultsOf(text)).toEqual([])
  })

  test('instants of a story stand there as people read them, to the millisecond on demand', async () => {
    const desk = new ActingDesk()
    const { store } = desk.sample
    const event = store.log.find(({ type }) => type === 'shipment.eta_changed')
    if (event === undefined) throw new Error('The sample rang.')
    store.story = async () => ({
      event: { ...event, observed: { notBefore: NOW - 120_000, notAfter: NOW } },
      provenance: sampleProvenance(),
      previous: null,
      next: null,
      corrects: null,
      correctedBy: [],
    })
    const { text } = await desk.get(`/events/${event.id}`)
    expect(await faultsOf(text)).toEqual([])
    expect(text).toMatch(
      /<time datetime="2026-11-21T08:12:00.000Z" title="2026-11-21T08:12:00\+00:00"\s*>Sat 21 Nov 2026, 08:12 UTC</,
    )
    const read = text.replaceAll(/<pre[\s\S]*?<\/pre\s*>|<[^>]*>/g, ' ')
    expect(read).toContain('no other case of guarantee E2 applies')
    expect(read).toContain('docs/reference/events/shipment.md#shipmenteta_changed')
    expect(read).not.toMatch(/\d{4}-\d{2}-\d{2}T/)
  })

  test('a parameter that means nothing is named, with what to give', async () => {
    const { status, text } = await new ActingDesk().get('/events?since=soon&until=later&account=acme&cursor=nowhere')
    expect(status).toBe(422)
    expect(await faultsOf(text)).toEqual([])
    for (const [field, value] of [
      ['since', 'soon'],
      ['until', 'later'],
    ]) {
      expect(text).toMatch(
        new RegExp(`name="${field}"\\s+value="${value}"[^>]*aria-invalid="true" aria-describedby="wrong-${field}"`),
      )
      expect(text).toContain(`id="wrong-${field}"`)
    }
    expect(text).toContain('is no time: give a date (2026-11-21), an ISO date-time or a duration ago')
    // What was right is in force, and leads on.
    expect(text).toContain('<option value="acme" selected')
    expect(linksOf(text, 'Next').every((href) => !/since|until|nowhere/.test(href))).toBe(true)
    expect(await new ActingDesk().get('/deliveries?state=lost&account=acme')).toMatchObject({
      status: 422,
      text: expect.stringMatching(/<option value="acme" selected[\s\S]*<p class="field-problem" role="alert"/),
    })
  })

  test.each([
    '/subscriptions/nobody',
    '/accounts/nobody',
    '/deliveries/dlv_0',
    '/jobs/none',
    '/accounts/acme/holds/invoices/accept',
  ])('%s says that there is no such thing', async (path) => {
    const { status, text } = await new ActingDesk().get(path)
    expect([path, status]).toEqual([path, 404])
    expect(await faultsOf(text)).toEqual([])
  })
})

describe('actions of the desk', () => {
  test('say what came of them once, on a page whose address does nothing', async () => {
    const desk = new ActingDesk()
    const { location, status } = await desk.post('/subscriptions/erp/disable')
    expect({ location, status }).toEqual({ location: '/subscriptions/erp', status: 303 })
    // What refreshes a page takes nothing away.
    expect((await desk.get('/subscriptions/erp', { 'sec-fetch-dest': 'empty' })).text).not.toContain(
      'erp is disabled: its',
    )
    const page = await desk.get('/subscriptions/erp')
    expect(page.text).toContain('erp is disabled: its events are held until it is enabled.')
    expect(await faultsOf(page.text)).toEqual([])
    expect((await desk.get('/subscriptions/erp')).text).not.toContain('erp is disabled: its')
    expect(desk.acted).toEqual(['disable erp'])
  })

  test('why deliveries fail is told of what the list shows, and its links and buttons stay with that', async () => {
    const desk = hostileDesk()
    const asked: unknown[] = []
    const groups = await desk.sample.store.failures()
    desk.sample.store.failures = async (filter) => {
      asked.push(filter)
      return groups
    }
    const { text } = await desk.get('/deliveries?state=exhausted&subscription=erp&account=acme&since=2026-11-20')
    const since = Date.UTC(2026, 10, 20)
    expect(asked).toEqual([{ subscription: 'erp', account: 'acme', states: ['exhausted'], since }])
    const panel = /<section[^>]*id="failures"[^]*?<\/section>/.exec(text)?.[0] ?? ''
    expect(panel).toMatch(/href="\/deliveries\?[^"]*state=exhausted[^"]*account=acme/)
    expect(panel).toMatch(/name="state" value="exhausted"/)
    expect(panel).toMatch(/name="account" value="acme"/)
  })

  test('ask first where they act on several rows, and do it once that is confirmed', async () => {
    const desk = new ActingDesk()
    desk.sample.store.endpointOverviews = desk.sample.store.endpointOverviews.map((each) => ({
      ...each,
      counts: { ...each.counts, held: 3 },
    }))
    expect((await desk.get('/subscriptions/ops/discard')).text).toContain('3 held events of ops will be dropped.')
    expect((await desk.get('/accounts/globex/holds/invoices/reject')).text).toContain(
      '207 missing items of invoices of globex will be believed to exist.',
    )
    expect((await desk.get('/deliveries/retry?subscription=ops&state=exhausted')).text).toContain(
      '12 deliveries will be sent again: ops, what is exhausted.',
    )
    expect(desk.acted).toEqual([])
    expect((await desk.acts('/subscriptions/ops/discard')).text).toContain('3 held events discarded')
    expect((await desk.acts('/accounts/globex/holds/invoices/reject')).text).toContain('207 missing items forgotten')
    expect(desk.acted).toEqual(['discard ops', 'reject globex invoice'])
  })

  test('retry all that match, not only the rows in view', async () => {
    const desk = new ActingDesk()
    const job = await desk.acts('/deliveries/retry', { subscription: 'ops', state: 'exhausted', since: '2026-11-20' })
    expect(job.text).toContain('12 of 12')
    expect(await faultsOf(job.text)).toEqual([])
    const since = Date.UTC(2026, 10, 20)
    expect(desk.acted).toEqual([
      `retry all ${JSON.stringify({ subscription: 'ops', since, missing: false, only: { states: ['exhausted'] } })}`,
    ])
  })

  test('that take long show how far they are, and can be cancelled', async () => {
    const begun = Promise.withResolvers<void>()
    const desk = new ActingDesk({
      actions: {
        retryMatching: async (_, { onProgress, signal }) => {
          onProgress?.(5)
          begun.resolve()
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return 5
        },
      },
    })
    const { location } = await desk.post('/deliveries/retry', { subscription: 'ops' })
    await begun.promise
    const running = await desk.get(location ?? '')
    expect(running.text).toContain('5 of 12')
    expect(running.text).toMatch(/data-often/)
    expect(await faultsOf(running.text)).toEqual([])
    await desk.post(`${location}/cancel`)
    const cancelled = await desk.get(location ?? '')
    expect(cancelled.text).toContain('cancelled')
    expect(cancelled.text).not.toMatch(/data-often/)
  })

  test('say why where the state does not allow them, or they fail', async () => {
    const desk = new ActingDesk({
      actions: {
        retry: async () => {
          throw new ShipbellError('wrong_state', 'The payload of dlv_1 has expired: there is nothing left to send.')
        },
        test: async () => null,
      },
    })
    const [row] = desk.sample.store.rows
    expect((await desk.acts(`/deliveries/${row?.id}/retry`)).text).toContain(
      'has expired: there is nothing left to send.',
    )
    expect((await desk.acts('/subscriptions/erp/test')).text).toContain('The test was not sent in time')
  })

  test.each([
    '/subscriptions/erp/disable',
    '/deliveries/retry',
    '/accounts/globex/holds/invoices/accept',
    '/jobs/x/cancel',
  ])('%s is refused to who may only look, with a page that says so', async (path) => {
    const desk = new ActingDesk({ token: VIEWER_TOKEN })
    const { status, text } = await desk.post(path)
    expect([status, desk.acted]).toEqual([403, []])
    expect(text).toContain('sign in with')
    expect(await faultsOf(text)).toEqual([])
  })

  test('have no button for who may only look', async () => {
    const desk = new ActingDesk({ token: VIEWER_TOKEN })
    for (const path of ['/events', '/deliveries', '/subscriptions/erp', '/accounts/globex'])
      expect((await desk.get(path)).text).not.toMatch(
        />(?:Retry|Send test|Enable|Disable|Discard|Accept|Reject|Confirm)</,
      )
    expect(await desk.get('/deliveries/retry?subscription=ops')).toMatchObject({ status: 403 })
  })
})

test("a subscription's page shows a mail as it will look, in a frame whose styles alone its policy allows", async () => {
  const mail =
    '<html><head><style>p{color:red}</style></head><body><p style="margin:0">&lt;b&gt; moved</p></body></html>'
  const { context } = sampleDesk()
  const preview: AdminReports['preview'] = async () => [
    { mediaType: 'text/plain', text: 'moved' },
    { mediaType: 'text/html', text: mail },
  ]
  const { headers, text } = await ask({ ...context, reports: { ...context.reports, preview } }, '/subscriptions/erp')
  expect(await faultsOf(text)).toEqual([])
  expect(text).toMatch(/<iframe class="mail" sandbox title="The mail"\s+srcdoc="&lt;html&gt;/)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain(`style-src 'self' 'unsafe-hashes' ${hashOf('p{color:red}')} ${hashOf('margin:0')};`)
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/)
})

function hashOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}
