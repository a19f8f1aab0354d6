import { expect, test } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { csvLine } from '../../src/serve/lists/csv.ts'
import { csvStream } from '../../src/serve/lists/csv-stream.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { batch, sampleState, T, write } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { Desk, TOKEN } from './desk.ts'
import { HIDDEN, MARK, sharedDesk, TOKENS } from './shared-desk.ts'

const DAY = 86_400_000

/** A shipment that arrives `days` after `T`, as far later than it was seen first as `drift` says. */
async function ship(store: Store, id: string, { account = 'acme', days = 0, drift = 0, more = {} }: Shipped = {}) {
  const date = formatInstant(T + days * DAY)
  const seen = {
    platform_shipment_id: id,
    name: `=Name, "${id}"`,
    status: 'in_progress',
    freight_mode: 'ocean',
    route: { origin_port_unlocode: 'CNSHA', destination_port_unlocode: 'FRFOS' },
    booking_information: { carrier: 'CMA' },
    main_tracking_dates: {
      departure_date: { date: formatInstant(T - DAY), status: 'problem' },
      arrival_date: { date, status: 'estimated' },
    },
    ...more,
  }
  const first = { date: formatInstant(T + (days - drift) * DAY), seenAt: T }
  const memory = { milestones: { arrival: { first, instants: [], actualEventId: null } } }
  const state = sampleState(id, { seen, reported: seen, memory })
  await store.commit(batch({ account, records: [write(state)] }))
}

interface Shipped {
  readonly account?: string
  readonly days?: number
  readonly drift?: number
  readonly more?: JsonObject
}

async function idsOf(desk: Desk, query: string, token = TOKEN): Promise<readonly string[]> {
  const { status, text } = await desk.ask(`/api/v1/records/shipment?${query}`, { token })
  expect([query, status]).toEqual([query, 200])
  const { items }: { readonly items: readonly { readonly id: string }[] } = JSON.parse(text)
  return items.map(({ id }) => id)
}

test('the API sorts and narrows lists, in the one zone, and names each parameter that is wrong', async () => {
  const desk = await Desk.open()
  await ship(desk.store, 'A', { days: 3, drift: 1 })
  await ship(desk.store, 'B', { days: 1, drift: -2 })
  await ship(desk.store, 'C', { days: 2, more: { status: 'finished', name: 'Zinc sheets' } })
  await ship(desk.store, 'D', { more: { main_tracking_dates: {}, freight_mode: 'air', route: {} } })
  expect(await idsOf(desk, 'sort=eta')).toEqual(['B', 'C', 'A', 'D'])
  expect(await idsOf(desk, 'sort=-eta')).toEqual(['A', 'C', 'B', 'D'])
  expect(await idsOf(desk, 'sort=-drift&open=true')).toEqual(['A', 'B', 'D'])
  expect(await idsOf(desk, 'open=false')).toEqual(['C'])
  expect(await idsOf(desk, 'sort=eta&lane=cnsha-frfos&mode=ocean&carrier=cma&status=in_progress')).toEqual(['B', 'A'])
  expect(await idsOf(desk, 'sort=eta&q=zinc')).toEqual(['C'])
  // 08:00 in UTC is the same day in Honolulu's evening before.
  expect(await idsOf(desk, 'sort=eta&arrives_after=2026-11-22&arrives_before=2026-11-23')).toEqual(['B', 'C'])
  expect(await idsOf(desk, 'sort=eta&arrives_before=2026-11-22&tz=Pacific/Honolulu')).toEqual(['B', 'C'])
  const wrong = ['sort=eta2', 'lane=CNSHA', 'open=maybe', 'arrives_after=2026-02-30', 'tz=Mars/Base', 'format=xml']
  for (const query of wrong) {
    const { json, status } = await desk.ask(`/api/v1/records/shipment?${query}`, { token: TOKEN })
    const [name] = query.split('=')
    expect([query, status]).toEqual([query, 422])
    expect(json).toMatchObject({ errors: [expect.objectContaining({ name })] })
  }
  const { status, text } = await desk.ask('/api/v1/records/invoice?carrier=CMA&sort=drift', { token: TOKEN })
  expect([status, text]).toEqual([422, expect.stringContaining('`carrier` says nothing of invoices.')])
})

test('a list comes as CSV at the address of its page and of the API, of what its token sees', async () => {
  const desk = await sharedDesk()
  await ship(desk.store, '-A', { days: 3, drift: 1 })
  await ship(desk.store, `${MARK} B`, { account: HIDDEN })
  for (const path of ['/records/shipment', '/api/v1/records/shipment']) {
    const asked = `${path}?format=csv&sort=-drift&carrier=CMA&tz=Asia/Tokyo&limit=1`
    const { headers, status, text } = await desk.ask(asked, { token: TOKENS.looks })
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect(headers['content-disposition']).toBe('attachment; filename="shipment.csv"')
    const [head = '', row = '', ...rest] = text.split('\r\n')
    expect(head).toMatch(/^account,id,name,status,open,problems,origin_port,/)
    expect(row).toMatch(/^acme,'-A,"'=Name, ""-A""",in_progress,true,departure,CNSHA,Shanghai,FRFOS,/)
    expect(row).toContain(',2026-11-24T17:00:00+09:00,estimated,2026-11-23T17:00:00+09:00,1440,')
    expect(rest).toEqual([''])
  }
  const page = await desk.ask('/records/shipment?sort=eta&lane=nowhere&mode=ocean', {
    token: TOKEN,
    headers: { accept: 'text/html' },
  })
  expect([page.status, page.text]).toEqual([
    422,
    expect.stringContaining('id="wrong-lane" role="alert"><bdi>It must be two'),
  ])
  expect(page.text).toContain('aria-sort="ascending"')
  // What was seen first may have been learnt in silence.
  expect(page.text).not.toMatch(/told first|first told|was told/)
  expect(page.text).toContain('href="/records/shipment?sort=eta&amp;mode=ocean&amp;format=csv"')
  expect((await desk.ask('/records/shipment?format=csv', { token: TOKENS.erp_only })).status).toBe(404)
  const long = 'x'.repeat(301)
  for (const query of ['sort=none', 'account=No', `q=${long}`, `carrier=${long}`, 'tz=Mars/Base']) {
    for (const path of ['/records/shipment', '/api/v1/records/shipment', '/api/v1/records/shipment?format=csv']) {
      const asked = `${path}${path.includes('?') ? '&' : '?'}${query}`
      expect([asked, (await desk.ask(asked, { token: TOKEN })).status]).toEqual([asked, 422])
    }
    const table = `/records/shipment?format=csv&${query}`
    expect([query, (await desk.ask(table, { token: TOKEN, method: 'HEAD' })).status]).toEqual([query, 422])
  }
  const { headers, status } = await desk.ask('/records/shipment?format=csv', { token: TOKEN, method: 'HEAD' })
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
  expect((await desk.ask('/api/v1/records/shipment?q=%20', { token: TOKEN })).status).toBe(200)
})

/** Parameters of some pages that their lists are asked for in vain. */
const WRONG_OF: Readonly<Record<string, readonly string[]>> = {
  '/events': ['type=%3Cb%3E', `subject=${'x'.repeat(1_025)}`],
  '/deliveries': ['subscription=No!', `event=${'x'.repeat(1_025)}`],
}

test('a page says beside its field what is wrong, keeps the rest and is no success', async () => {
  const desk = await Desk.open()
  await ship(desk.store, 'A')
  for (const path of ['/', '/events', '/deliveries', '/records/shipment', '/search?q=ham', '/slips', '/reliability']) {
    const [of = '', kept = 'carrier=CMA'] = path.split('?')
    const own = WRONG_OF[of] ?? []
    const listed = of === '/' ? ['since=never'] : ['account=No!', 'cursor=nowhere']
    for (const wrong of ['tz=Mars/Base', 'lang=tlh', ...listed, ...own]) {
      const { status, text } = await desk.ask(`${of}?${wrong}&${kept}`, {
        token: TOKEN,
        headers: { accept: 'text/html' },
      })
      expect([of, wrong, status]).toEqual([of, wrong, 422])
      expect(text).toMatch(/class="field-problem"/)
      if (of === '/search') expect(text).toContain('value="ham"')
    }
  }
})

test('invoices are added up exactly by currency, apart from credit notes, without those that are gone', async () => {
  const desk = await Desk.open()
  const records = [invoice('A', '0.1'), invoice('B', '0.2'), invoice('C', '100', { removedAt: T })]
  await desk.store.commit(batch({ records: [...records, invoice('D', '-5', { type: 'credit_note' })] }))
  const { text } = await desk.ask('/records/invoice', { token: TOKEN, headers: { accept: 'text/html' } })
  const said = (/<p class="sum">.*?<\/p>/s.exec(text)?.[0] ?? '').replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ')
  expect(said.trim()).toBe('EUR 0.30 in 2 invoices EUR -5.00 in 1 credit note')
})

function invoice(id: string, amount: string, { removedAt = null, type = 'invoice' }: Sent = {}) {
  const seen = { reference: id, type, status: 'due', lines: [{ price: { amount, currency: 'EUR' } }] }
  return write(sampleState(id, { resource: 'invoice', seen, reported: seen, removedAt }))
}

interface Sent {
  readonly removedAt?: number | null
  readonly type?: string
}

test('a list of many slices comes whole, each row once', { tags: 'long' }, async () => {
  const desk = await Desk.open()
  const states = Array.from({ length: 450 }, (_, n) => sampleState(`S${String(n).padStart(3, '0')}`))
  await desk.store.commit(batch({ records: states.map((state) => write(state)) }))
  const { text } = await desk.ask('/api/v1/records/shipment?format=csv&sort=name', { token: TOKEN })
  const ids = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[1] ?? '')
  expect(ids.toSorted((one, other) => one.localeCompare(other))).toEqual(states.map(({ id }) => id))
})

test('cells hold what RFC 4180 lets them, and nothing that a spreadsheet calculates', () => {
  const cells = [
    'a',
    'b,c',
    'd"e',
    'f\r\ng',
    '=1+1',
    '+1',
    '-1.5',
    '+x',
    '@x',
    '\tx',
    '\rx',
    '-',
    null,
    true,
    -3,
    '-1e5',
  ]
  expect(csvLine(cells)).toBe('a,"b,c","d""e","f\r\ng",\'=1+1,+1,-1.5,\'+x,\'@x,\'\tx,"\'\rx",\'-,,true,-3,-1e5\r\n')
})

test('a table that nobody reads on breaks off, and one that is left or whose service ends is over', async () => {
  const clock = new FakeClock(T)
  const open = (signal: AbortSignal, over: () => void, of: Pick<Clock, 'after'> = clock) =>
    csvStream({
      clock: of,
      signal,
      over,
      first: { text: 'a', next: '1' },
      sliceAt: async () => ({ text: 'b', next: '2' }),
    })
  const ended: string[] = []
  const stalled = open(new AbortController().signal, () => ended.push('stalled')).getReader()
  await stalled.read()
  await clock.advance(60_000)
  await expect(stalled.read()).rejects.toThrow('not read to its end')
  const left = open(new AbortController().signal, () => ended.push('left')).getReader()
  await left.read()
  await left.cancel()
  const service = new AbortController()
  const cut = open(service.signal, () => ended.push('cut')).getReader()
  await cut.read()
  service.abort()
  await expect(cut.read()).rejects.toThrow('not read to its end')
  expect(ended).toEqual(['stalled', 'left', 'cut'])
})
