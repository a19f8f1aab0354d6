import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import type { RecordDetail } from '../../src/store/ports/record-query-port.ts'
import { ask, linksOf } from './ask.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { NOW, recordOf, sampleDesk } from './sample-desk.ts'
import { faultsOf } from './valid-html.ts'
import { InMemoryDeskStore } from './in-memory-desk-store.ts'

const PAGES = [
  '/',
  '/system',
  '/records/shipment',
  '/records/shipment?q=chairs&status=booked&account=acme',
  '/records/shipment?q=nothing-like-it',
  '/records/invoice',
  '/records/invoice?due=any',
  '/records/location',
  '/records/shipment/acme/SHP-1000',
  '/records/shipment/acme/SHP-1000?seen=1',
  '/records/invoice/acme/INV-7001',
  '/records/tracking/acme/SHP-1000',
  '/search',
  '/search?q=chairs+shp&account=acme',
  '/search?q=nothing-like-it',
  '/slips?days=30',
  '/reliability',
  '/reliability?by=lane&sort=key&lane=CNSHA-NLRTM',
  '/slips?days=1&carrier=nobody',
]

describe('pages', () => {
  test.each(PAGES)('%s is valid HTML, with its title and the navigation', async (path) => {
    const { status, text } = await ask(sampleDesk().context, path)
    expect(status).toBe(200)
    expect(await faultsOf(text)).toEqual([])
    expect(text).toMatch(/<title>[^<]+ · Shipbell<\/title>/)
    const nav = /<nav class="main" aria-label="Main">[\s\S]*?<\/nav>/.exec(text)?.[0] ?? ''
    expect([...nav.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      '/',
      '/records/shipment',
      '/records/invoice',
      '/events',
      '/deliveries',
      '/subscriptions',
      '/accounts',
      '/plan',
      '/system',
    ])
  })

  test.each(PAGES)('%s is valid HTML where there is nothing yet, and says what to do', async (path) => {
    const { status, text } = await ask(sampleDesk({ store: new InMemoryDeskStore() }).context, path)
    expect(status).toBe(/\/records\/\w+\/acme/.test(path) ? 404 : 200)
    expect(await faultsOf(text)).toEqual([])
  })

  test('loads nothing from elsewhere and has no inline script or style', async () => {
    for (const path of PAGES) {
      const { text } = await ask(sampleDesk().context, path)
      expect(text).not.toMatch(/\s(?:style|on\w+)=/)
      expect(text).not.toMatch(/<style|<script(?! type="module" src="\/assets\/desk\.js"><\/script>)/)
      expect([...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].filter(([, to = '']) => !/^[/#]/.test(to))).toEqual(
        [],
      )
    }
  })

  test('of a list lead onwards by cursor, and back without a script', async () => {
    const { context } = sampleDesk()
    const first = await ask(context, '/records/shipment?account=acme')
    expect(linksOf(first.text, 'Previous')).toEqual([])
    const [second = ''] = linksOf(first.text, 'Next')
    expect(second).toBe('/records/shipment?account=acme&cursor=c50')
    const middle = await ask(context, second)
    expect(linksOf(middle.text, 'Previous')).toEqual(['/records/shipment?account=acme'])
    expect(linksOf(middle.text, 'Next')).toEqual([])
    const all = await ask(context, '/records/shipment?cursor=c50')
    const [third = ''] = linksOf(all.text, 'Next')
    expect(linksOf((await ask(context, third)).text, 'Previous')).toEqual(['/records/shipment?cursor=c50'])
  })

  test('of invoices say when each is due and what it comes to; only an open one is overdue, from the day after', async () => {
    const { context, store } = sampleDesk()
    const sample = store.details.find(({ resource }) => resource === 'invoice')
    if (sample?.object == null) throw new Error('no invoice to go by')
    const { object } = sample
    const invoice = (id: string, more: JsonObject): RecordDetail => ({ ...sample, id, object: { ...object, ...more } })
    store.details = [
      invoice('INV-LATE', { due_date: '2026-11-20' }),
      invoice('INV-TODAY', { due_date: '2026-11-21' }),
      invoice('INV-PAID', { due_date: '2026-11-20', status: 'paid' }),
      invoice('INV-NONE', { due_date: '<b>', lines: [] }),
    ]
    const { text } = await ask(context, '/records/invoice')
    const rows = text.split('<tr data-row').slice(1)
    expect(rows.map((row) => row.includes('overdue'))).toEqual([true, false, false, false])
    expect(rows[0]).toContain('Fri 20 Nov 2026')
    expect(rows[0]).toContain('USD 4,180.50 + EUR 310.00')
    expect(text).not.toContain('<b>')
  })

  test('of invoices are cut down to what falls due, soonest first, in the calendar of the account', async () => {
    const { context, store } = sampleDesk()
    store.details = [
      invoiceDue('INV-LATER', '2026-12-20'),
      invoiceDue('INV-WEEK', '2026-11-28'),
      invoiceDue('INV-TODAY', '2026-11-21'),
      invoiceDue('INV-LATE', '2026-11-20'),
      invoiceDue('INV-PAID', '2026-11-20', 'paid'),
    ]
    const shown = async (path: string, about = context): Promise<readonly (string | undefined)[]> =>
      [...(await ask(about, path)).text.matchAll(/data-key="acme\/(INV-\w+)"/g)].map(([, id]) => id)
    expect(await shown('/records/invoice?due=overdue')).toEqual(['INV-LATE'])
    expect(await shown('/records/invoice?due=7d')).toEqual(['INV-TODAY', 'INV-WEEK'])
    expect(await shown('/records/invoice?due=any')).toEqual(['INV-LATE', 'INV-TODAY', 'INV-WEEK', 'INV-LATER'])
    const inKiritimati = context.accounts().map((each) => ({ ...each, timeZone: 'Pacific/Kiritimati' }))
    store.details.push(invoiceDue('INV-EVE', '2026-11-22'))
    const later = { ...context, accounts: () => inKiritimati, clock: new FakeClock(NOW + 3 * 3_600_000) }
    expect(await shown('/records/invoice?due=0d', later)).toEqual(['INV-EVE'])
    const wrong = await ask(context, '/records/invoice?due=soon&q=INV')
    expect(wrong.status).toBe(422)
    expect(wrong.text).toMatch(/id="wrong-due" role="alert"><bdi>It must be overdue, any, or/)
    expect(wrong.text.match(/data-key="acme/g)).toHaveLength(6)
  })

  test('of shipments say where each goes and when it arrives', async () => {
    const { context, store } = sampleDesk()
    const dates = { arrival_date: { date: '2026-12-12T10:00:00Z', status: 'estimated' } }
    store.details = store.details
      .slice(0, 1)
      .map((each) => ({ ...each, object: { ...each.object, main_tracking_dates: dates } }))
    const { text } = await ask(context, '/records/shipment')
    const [, row = ''] = text.split('<tr data-row')
    expect(row).toMatch(
      /data-label="Route"><div><a [^>]+lane=CNSHA-NLRTM"><bdi>Shanghai \(CNSHA\) → Rotterdam \(NLRTM\)<\/bdi>/,
    )
    expect(row).toMatch(
      /data-label="ETA"><div><time [^>]+>Sat 12 Dec<\/time>\s+<span class="badge neutral"><bdi>estimated/,
    )
  })

  test('of a list narrow to a value that is clicked, and forget where in the list one was', async () => {
    const { text } = await ask(sampleDesk().context, '/records/shipment?cursor=c50&before=c1')
    expect(linksOf(text, 'booked')[0]).toBe('/records/shipment?status=booked')
    const narrowed = await ask(sampleDesk().context, '/records/shipment?status=booked')
    expect(narrowed.text).toContain('Take this filter out')
    expect(narrowed.text).not.toContain('SHP-1000')
  })

  test('of orders lead with the number, the supplier beside it', async () => {
    const { context } = sampleDesk()
    const list = await ask(context, '/records/purchase_order')
    expect(linksOf(list.text, 'PO-118')).toEqual(['/records/purchase_order/acme/PO-118'])
    expect(list.text).toMatch(/data-label="Supplier"><div><bdi>Ningbo Seating</)
    expect((await ask(context, '/records/purchase_order/acme/PO-118')).text).toMatch(/<h1><bdi>PO-118</)
    expect(linksOf((await ask(context, '/records/shipment/acme/SHP-1000')).text, 'PO-118')).toHaveLength(1)
  })

  test('of slips show a shipment once, where its largest drift stands', async () => {
    const { context, store } = sampleDesk()
    const [first] = store.slid
    if (first === undefined) throw new Error('The sample slid.')
    store.slid = [
      { ...first, driftMinutes: 2_880 },
      { ...first, shipment: 'SHP-OTHER', name: null, driftMinutes: -4_320 },
      { ...first, milestone: 'delivery', driftMinutes: 5_760 },
    ]
    const { text } = await ask(context, '/slips')
    const rows = text.replaceAll(/\s+/g, ' ').split('<tr data-row').slice(1, 3)
    expect(rows.map((row) => /data-key="([^"]*)"/.exec(row)?.[1])).toEqual([
      `acme/${first.shipment}/delivery`,
      'acme/SHP-OTHER/arrival',
    ])
    expect(rows[0]?.replaceAll(/<[^>]*>/g, '')).toContain('also arrival 2d later')
    expect(rows[1]).not.toContain('also')
  })

  test('say what is wrong with an address', async () => {
    const { context } = sampleDesk()
    expect(await ask(context, '/slips?days=many')).toMatchObject({
      status: 422,
      text: expect.stringContaining('a number of days from 1 to 365'),
    })
    for (const path of ['/records/nothing', '/records/shipment/acme/NOPE', '/nowhere']) {
      const { status, text } = await ask(context, path)
      expect(status).toBe(404)
      expect(await faultsOf(text)).toEqual([])
    }
  })
})

describe('the page of the system', () => {
  test('says how fresh everything is, and what needs a person with its remedy', async () => {
    const { text } = await ask(sampleDesk().context, '/system')
    const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(words).toContain('26m of 10m late')
    expect(words).toContain('21m of 15m grace')
    expect(words).toContain('207 of 412 invoices are gone from the list')
    expect(words).toContain('shipbell holds accept --account globex --resource invoices')
    expect(words).toContain('ops failed 7 times in a row')
  })

  test('names the workers, what each polls, and whose configuration is older', async () => {
    const { text } = await ask(sampleDesk().context, '/system')
    const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(words).toContain('4 workers')
    expect(words).toMatch(/1f0e6a3c here process 71 24 hours ago 1\.2\.3 acme globex 2f0e6a3c/)
    expect(words).toMatch(/customer-11 and 2 more 3f0e6a3c here process 73 24 hours ago 1\.2\.3 older configuration/)
  })
})

describe('a budget', () => {
  test('is that of its key: who shares it is named, and counts', async () => {
    const { context } = sampleDesk()
    const others: Readonly<Record<string, readonly string[]>> = { acme: ['globex'], globex: ['acme'] }
    const reports = { ...context.reports, sharing: (name: string) => others[name] ?? [] }
    for (const path of ['/system', '/accounts', '/accounts/acme']) {
      const { text } = await ask({ ...context, reports }, path)
      expect(await faultsOf(text)).toEqual([])
      const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
      expect([path, words]).toEqual([path, expect.stringMatching(/2,210 of 3,600 shared with globex ?, 5,630 in all/)])
      expect((await ask(context, path)).text).not.toContain('shared with')
    }
  })
})

describe('a shipment', () => {
  test('shows every value of its dates, and who was told which', async () => {
    const { text } = await ask(sampleDesk().context, '/records/shipment/acme/SHP-1000')
    const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(words).toMatch(
      /Sat 12 Dec 2026, 10:00 UTC 2026-12-12T10:00:00Z planned Sat 14 Nov, \d\d:\d\d learnt silently/,
    )
    expect(words).toMatch(
      /Sun 13 Dec 2026, 10:00 UTC 2026-12-13T10:00:00Z estimated Tue 17 Nov, \d\d:\d\d Tue 17 Nov, \d\d:\d\d ops pending erp delivered/,
    )
  })

  test('shows what belongs to it, and not what only looks like it', async () => {
    const { context, store } = sampleDesk()
    const invoice = store.details.find(({ resource }) => resource === 'invoice')
    if (invoice?.object == null) throw new Error('The sample has an invoice.')
    store.details.push({
      ...invoice,
      id: 'INV-8',
      name: 'F-OTHER',
      object: { ...invoice.object, platform_shipment_id: 'SHP-10001' },
    })
    const { text } = await ask(context, '/records/shipment/acme/SHP-1000')
    expect(text).toContain('F-2026-118')
    expect(text).toContain('packing-list.pdf')
    expect(text).not.toContain('F-OTHER')
  })

  test('shows what changed since an event, from the first value to the last', async () => {
    const { context, store } = sampleDesk()
    const own = store.log.filter(({ subject }) => subject.id === 'SHP-1003')
    const [first] = own
    if (first === undefined) throw new Error('The sample rang.')
    const { text } = await ask(context, `/records/shipment/globex/SHP-1003?seen=${first.sequence}`)
    const since = /<section[^>]*id="since"[\s\S]*?<\/section>/.exec(text)?.[0] ?? ''
    expect(since).toContain(`${own.length - 1} events`)
    expect([...since.matchAll(/<dt>/g)]).toHaveLength(1)
    expect(linksOf(since, 'Next change')).toHaveLength(1)
  })

  test('says since which event of its invoice a message led to a shipment, and of no other', async () => {
    const { context, store } = sampleDesk()
    const invoice = sampleEvent('invoice.overdue')
    const object = { ...invoice.object, platform_shipment_id: 'SHP-1003' }
    const told = { ...invoice, id: 'evt_told', account: 'globex', object, shipment: null, sequence: 95_000 }
    store.log.push({ ...told, expiredAt: null })
    const since = async (path: string): Promise<string> =>
      /<section[^>]*id="since"[\s\S]*?<\/section>/.exec((await ask(context, path)).text)?.[0] ?? ''
    const shown = await since('/records/shipment/globex/SHP-1003?seen=94999')
    expect(shown).toMatch(/1 event\s/)
    expect(shown).toContain('href="/events/evt_told"')
    expect(shown).not.toContain('Nothing changed')
    expect(await since('/records/shipment/acme/SHP-1000?seen=94999')).not.toContain('evt_told')
  })

  test.each(['.', '..', '...', '%2e', '/', 'a b'])('has a page whatever its id: %j', async (id) => {
    const { context, store } = sampleDesk()
    const [sample] = store.details
    if (sample === undefined) throw new Error('The sample has a shipment.')
    store.details = [{ ...sample, id, name: 'Oddly named' }]
    const [path = ''] = linksOf((await ask(context, '/records/shipment')).text, 'Oddly named')
    // As a browser takes it.
    const { href, origin } = new URL(path, 'http://localhost')
    const { status, text } = await ask(context, href.slice(origin.length))
    expect([path, status]).toEqual([path, 200])
    expect(text).toMatch(/<h1><bdi>Oddly named</)
  })

  test('leads to the platform where that is configured', async () => {
    const { context } = sampleDesk()
    const link = { shipment: 'https://platform.example/s/{id}' }
    const accounts = () => context.accounts().map((each) => ({ ...each, link }))
    const { text } = await ask({ ...context, accounts }, '/records/shipment/acme/SHP-1000')
    expect(linksOf(text, 'Open at the platform')).toEqual(['https://platform.example/s/SHP-1000'])
    expect(linksOf((await ask(context, '/records/shipment/acme/SHP-1000')).text, 'Open at the platform')).toEqual([])
  })

  test('never shows the link of a document: whoever holds it reads the document', async () => {
    const { context } = sampleDesk()
    for (const path of ['/records/document/acme/DOC-1', '/records/shipment/acme/SHP-1000']) {
      expect((await ask(context, path)).text).not.toContain('secret-link')
    }
  })
})

describe('assets', () => {
  test('are served with their type, and once only while they stay the same', async () => {
    const { context } = sampleDesk()
    const { headers, status, text } = await ask(context, '/assets/desk.css')
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/css; charset=utf-8' })
    expect(text).toContain('@layer')
    const etag = headers.get('etag') ?? ''
    expect(await ask(context, '/assets/desk.css', { 'if-none-match': `W/${etag}` })).toMatchObject({
      status: 304,
      text: '',
    })
    expect((await ask(context, '/assets/live.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    for (const name of ['..%2Fadmin-app.ts', 'nothing.js', '__proto__']) {
      expect((await ask(context, `/assets/${name}`)).status).toBe(404)
    }
  })
})

function invoiceDue(id: string, due_date: string, status = 'due'): RecordDetail {
  return recordOf('invoice', id, { reference: id, type: 'invoice', status, due_date })
}
