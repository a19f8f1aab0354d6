import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { SilentOpening } from '../../src/model/exception.ts'
import { createAdminApp } from '../../src/serve/admin-app.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { Desk, TOKEN, VIEWER } from '../serve/desk.ts'
import { HTTP, sharedDesk, TOKENS } from '../serve/shared-desk.ts'
import { batch, sampleState, T, write } from '../store/samples.ts'
import { ask, linksOf } from './ask.ts'
import { faultsOf } from './valid-html.ts'
import { NOW, recordOf, sampleDesk } from './sample-desk.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function wordsOf(text: string): string {
  return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

describe('today', () => {
  test('says what needs somebody, each record once, and what somebody sees to', async () => {
    const { text } = await ask(sampleDesk({ access: everybody }).context, '/')
    expect(text.match(/class="standing critical"|class="standing warning"/g)).toHaveLength(3)
    const words = wordsOf(text)
    expect(words).toMatch(
      /Garden chairs 2026 Shanghai \(CNSHA\) → Rotterdam \(NLRTM\) acme late The departure is overdue/,
    )
    expect(words).toContain('at risk The delivery may come too late. Opened 4 hours ago .')
    expect(words).toMatch(/Invoice F-2026-118 Garden chairs 2026 Shanghai/)
    expect(words).toContain('packing-list was expected and has not happened.')
    expect(words).toMatch(
      /1 that somebody sees to .* The carrier was called\. Acknowledged by token 60 minutes ago|1 that somebody sees to .* The carrier was called\. Acknowledged by token 1 hour ago/,
    )
    expect(words).not.toContain('Nothing waits for you')
    expect(text).not.toContain('>Acknowledge<')
  })

  test('says what falls due within seven days and what is overdue, exactly and by currency, without credit notes', async () => {
    const { context, store } = sampleDesk()
    store.details = [
      ...['A', 'B', 'C'].map((id) => invoiceDue(id, '2026-11-28')),
      invoiceDue('D', '2026-11-21', { lines: [{ price: { amount: 20, currency: 'USD' } }] }),
      invoiceDue('E', '2026-11-20', { lines: [{ price: { amount: 99, currency: 'USD' } }] }),
      invoiceDue('F', '2026-11-24', { type: 'credit_note' }),
      invoiceDue('G', '2026-11-29'),
    ]
    const { text } = await ask(context, '/')
    const words = wordsOf(text)
    expect(words).toContain('USD 20.00 + EUR 0.30 in 4 invoices')
    expect(await faultsOf(text)).toEqual([])
    expect(words).toMatch(/overdue USD 99\.00 in 1 invoice /)
    expect(linksOf(text, '4 invoices')).toEqual(['/records/invoice?due=7d'])
  })

  test.each([9, 60])('says what is still to arrive within seven days, where %i have arrived today', async (arrived) => {
    const { context, store } = sampleDesk()
    store.details = [
      ...Array.from({ length: arrived }, (_, nth) => arriving(`A${nth}`, 'actual', NOW)),
      arriving('B', 'estimated', NOW + 3 * 86_400_000),
    ]
    const { text } = await ask(context, '/')
    const section = /<section[^>]*id="arrivals"[\s\S]*?<\/section>/.exec(text)?.[0] ?? ''
    expect([...section.matchAll(/\/records\/shipment\/acme\/(\w+)/g)].map(([, id]) => id)).toEqual(['B'])
    expect(wordsOf(section)).toContain('1 shipment')
  })

  test(
    'says what changed since a moment, each shipment once and net, whatever moment is asked for',
    { tags: 'long' },
    async () => {
      const { context, store } = sampleDesk()
      const moved = store.log.find(({ type }) => type === 'shipment.eta_changed')
      if (moved === undefined) throw new Error('The sample moved.')
      const rang = (id: string, [from, to]: readonly [string, string], at: number): LoggedEvent => ({
        ...moved,
        id,
        timestamp: at,
        extras: {
          date_change: {
            milestone: 'arrival',
            from: { date: `2026-12-${from}T10:00:00Z`, status: 'estimated' },
            to: { date: `2026-12-${to}T10:00:00Z`, status: 'estimated' },
            shift_minutes: (Number(to) - Number(from)) * 1_440,
          },
        },
      })
      const HOUR = 3_600_000
      store.log = [
        rang('evt_old', ['01', '04'], NOW - 70 * HOUR),
        rang('evt_one', ['04', '09'], NOW - 9 * HOUR),
        rang('evt_two', ['09', '07'], NOW - 3 * HOUR),
      ]
      const shown = async (query: string, headers = {}) => {
        const { text } = await ask(context, `/${query}`, headers)
        return wordsOf(/<section[^>]*id="changes"[\s\S]*?<\/section>/.exec(text)?.[0] ?? '')
      }
      expect(await shown('')).toMatch(/What changed since yesterday .*3 days later/)
      expect(await shown('?since=4h')).toMatch(/2 days earlier/)
      expect(await shown('?since=7d')).toMatch(/6 days later.* 3 events/)
      expect(await shown('?since=1h')).toContain('Nothing changed.')
      const subject = { ...moved.subject, id: 'SHP-1000' }
      store.log = store.log.map((event) => ({ ...event, account: 'acme', subject }))
      const order = await ask(context, '/records/purchase_order/acme/PO-118')
      expect(await faultsOf(order.text)).toEqual([])
      expect(wordsOf(order.text)).toMatch(
        /Garden chairs 2026 Shanghai \(CNSHA\) → Rotterdam \(NLRTM\) in progress .*since yesterday .*3 days later/,
      )
      const assigned = { shipment_id: 'SHP-1000', from: 'booked', to: 'in_progress' }
      store.log.push({
        ...moved,
        id: 'evt_order',
        account: 'acme',
        type: 'purchase_order.shipment_status_changed',
        timestamp: NOW - HOUR,
        subject: { ...moved.subject, resource: 'purchase_order', id: 'PO-118' },
        changes: [],
        shipment: null,
        extras: assigned,
      })
      const { text } = await ask(context, '/records/purchase_order/acme/PO-118')
      const changes = /<section[^>]*id="changes"[\s\S]*?<\/section>/.exec(text)?.[0] ?? ''
      expect(wordsOf(changes).match(/Garden chairs 2026/g)).toHaveLength(1)
      expect(wordsOf(changes)).toMatch(/3 days later.*booked → in progress/)
      expect(await shown('?since=%3Cb%3E')).toMatch(
        /What changed since yesterday .*&lt;b&gt; is no moment: give .*3 days later/,
      )
    },
  )

  test('knows when its browser looked last, and counts a look after a while as another visit', async () => {
    const clock = new FakeClock(NOW)
    const app = createAdminApp(sampleDesk({ clock }).context)
    let cookie = ''
    const look = async (path = '/') => {
      const request = new Request(`http://localhost${path}`, {
        headers: { host: 'localhost', accept: 'text/html', cookie },
      })
      const answer = await app.fetch(request, { peer: { address: '127.0.0.1', hangUp: () => undefined } })
      cookie =
        answer.headers
          .getSetCookie()
          .find((each) => each.startsWith('shipbell_visit='))
          ?.split(';')[0] ?? cookie
      return wordsOf(await answer.text())
    }
    expect(await look()).not.toContain('your last visit')
    await clock.advance(5 * 60_000)
    expect(await look()).toContain('Since your last visit at Sat 21 Nov, 08:12')
    await clock.advance(3 * 3_600_000)
    expect(await look()).toContain('Since your last visit at Sat 21 Nov, 08:17')
    await clock.advance(60_000)
    expect(await look('/?since=2026-11-21T08:17:00.000Z')).toContain(
      'What changed since your last visit at Sat 21 Nov, 08:17',
    )
    cookie = 'shipbell_visit=1.99999999999999.%00'
    expect(await look()).not.toContain('your last visit')
  })

  test('says that nothing waits only where that is true of all of it', async () => {
    const { context, store } = sampleDesk()
    const calm = {
      ...context,
      reports: { ...context.reports, status: async () => ({ ...(await context.reports.status()), needs: [] }) },
    }
    store.details = []
    expect((await ask(calm, '/')).text).not.toContain('Nothing waits for you')
    store.exceptions = []
    expect((await ask(calm, '/')).text).toContain('Nothing waits for you')
    expect((await ask(context, '/')).text).not.toContain('Nothing waits for you')
    expect((await ask(context, '/')).text).toContain('href="/system">System</a>')
    store.details = [
      recordOf('invoice', 'A', { reference: 'A', type: 'invoice', status: 'due', due_date: '2026-11-20' }),
    ]
    expect((await ask(calm, '/')).text).not.toContain('Nothing waits for you')
  })
})

describe('who sees to it', () => {
  test('is said in a form of today and of the record, and taken back', async () => {
    const desk = await deskWith([stands('A', 'arrival'), stands('A', 'delivery')])
    const cookie = await desk.signIn(TOKEN)
    const post = poster(desk, cookie)
    const page = await desk.ask('/', { token: TOKEN })
    const ids = [...page.text.matchAll(/name="exception" value="(exc_[0-9a-f]+)"/g)].map(([, id = '']) => id)
    expect(ids).toHaveLength(2)
    const [first = '', second = ''] = ids
    const wrong = await post('acknowledge', [
      ['exception', first],
      ['note', 'called <b>'],
      ['until', 'soon'],
      ['back', '/'],
    ])
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('value="called &lt;b&gt;"')
    expect(wrong.text).toMatch(/value="soon"[^>]*aria-invalid="true"/)
    expect(wrong.text).toContain('That is no time')
    expect(wrong.text.match(/type="checkbox"[^>]*checked/g)).toHaveLength(1)
    const onRecord = await post('acknowledge', [
      ['exception', first],
      ['until', '2020-01-01'],
      ['back', '/records/shipment/acme/A'],
    ])
    expect([onRecord.status, onRecord.text.includes('That is past')]).toEqual([422, true])
    expect(onRecord.text).toContain('<h1><bdi>A</bdi></h1>')
    const done = await post('acknowledge', [
      ['exception', first],
      ['exception', second],
      ['note', 'called'],
      ['until', '2d'],
      ['back', '/?since=7d'],
    ])
    expect([done.status, done.headers['location']]).toEqual([303, '/?since=7d'])
    const { json } = await desk.ask(`/api/v1/exceptions/${first}`, { token: TOKEN })
    expect(json).toMatchObject({ state: 'acknowledged', acknowledged: { by: 'token', note: 'called' } })
    expect(desk.logged('admin.acted')).toMatchObject([
      { who: 'http.token', action: 'acknowledge', exception: first },
      { action: 'acknowledge', exception: second },
    ])
    const seen = await desk.ask('/', { token: TOKEN })
    expect(wordsOf(seen.text)).toContain('2 that somebody sees to')
    expect((await desk.ask('/records/shipment/acme/A', { token: TOKEN })).text).toContain('Somebody sees to it')
    expect((await post('reopen', [['exception', first]])).status).toBe(303)
    expect((await desk.ask(`/api/v1/exceptions/${first}`, { token: TOKEN })).json).toMatchObject({ state: 'open' })
    await desk.store.commit(batch({ exceptions: { closes: [{ by: 'unwatched', at: T }] } }))
    const late = await post('acknowledge', [['exception', first]])
    expect(late.status).toBe(303)
    expect((await post('acknowledge', [['exception', 'exc_none']])).status).toBe(404)
    expect((await post('acknowledge', [['note', 'nothing']])).status).toBe(422)
  })

  test('is said by nobody who may only look, from no other site, and of what is seen alone', async () => {
    const desk = await sharedDesk()
    const exceptions = async (account: string) =>
      (await desk.store.exceptionPage({ account, now: 0, limit: 1 })).items[0]?.id ?? ''
    const [own, hidden] = [await exceptions('acme'), await exceptions('constructor')]
    const viewer = await desk.ask('/', { token: VIEWER })
    expect(viewer.text).toContain('Needs somebody')
    expect(viewer.text).not.toContain('>Acknowledge<')
    const asking = async (token: string, id: string) =>
      (await desk.ask('/exceptions/acknowledge', { method: 'POST', token, headers: FORM, body: `exception=${id}` }))
        .status
    expect([await asking(VIEWER, own), await asking(TOKENS.looks, own), await asking(TOKENS.looks, hidden)]).toEqual([
      403, 403, 403,
    ])
    expect([await asking(TOKENS.operates, hidden), await asking(TOKENS.operates, own)]).toEqual([404, 303])
    expect(await desk.store.exceptionPage({ now: 0, limit: 9, states: ['acknowledged'] })).toMatchObject({
      items: [{ id: own, acknowledged: { by: 'operates' } }],
    })
    const cookie = await desk.signIn(TOKEN)
    const headers = { ...FORM, cookie, origin: 'https://elsewhere.example' }
    expect((await desk.ask('/exceptions/reopen', { method: 'POST', headers, body: `exception=${own}` })).status).toBe(
      403,
    )
    const operates = await desk.ask('/', { token: TOKENS.operates })
    expect(operates.text).toContain('seen goods')
    expect(operates.text).not.toContain('zz-hidden')
    expect(HTTP).toContain('operator')
  })

  test('says how late an order is as it stands, also where nothing rang of it', async () => {
    const subject = { resource: 'purchase_order', id: 'PO-1' } as const
    const type = 'purchase_order.delivery_at_risk'
    const desk = await deskWith([{ type, subject, at: T }])
    const expected = { date: '2026-12-26T17:00:00Z', status: 'estimated', basis: 'delivery', shipmentId: 'A' } as const
    const fate = { expected, unknown: [], assigned: ['A'], uncounted: [], atRisk: true, fullyAssigned: true }
    const seen = { po_number: 'PO-1', desired_delivery_date: '2026-12-22' }
    const order = sampleState('PO-1', { ...subject, seen, memory: { fate: { ...fate, delivered: false } } })
    await desk.store.commit({ ...batch({ records: [write(order)] }), account: 'acme' })
    for (const page of ['/', '/records/purchase_order/acme/PO-1'])
      expect(wordsOf((await desk.ask(page, { token: TOKEN })).text)).toMatch(
        /The order comes 4 days too late: expected Sat 26 Dec(?: 2026)?\s?, wanted Tue 22 Dec(?: 2026)?\s?\./,
      )
  })

  test('is asked for page by page, each record on one page', async () => {
    const opens = Array.from({ length: 120 }, (_, nth) =>
      stands(`S${Math.floor(nth / 2)}`, nth % 2 === 0 ? 'arrival' : 'delivery'),
    )
    const desk = await deskWith(opens)
    const first = await desk.ask('/', { token: TOKEN })
    expect([standingOn(first.text).length, new Set(standingOn(first.text)).size]).toEqual([50, 50])
    const second = await desk.ask(linksOf(first.text, 'Next')[0] ?? '', { token: TOKEN })
    expect(new Set([...standingOn(first.text), ...standingOn(second.text)]).size).toBe(60)
    expect(standingOn(second.text)).toHaveLength(10)
  })
})

function arriving(id: string, status: string, at: number) {
  const date = new Date(at).toISOString()
  return recordOf('shipment', id, { status: 'in_progress', main_tracking_dates: { arrival_date: { date, status } } })
}

function invoiceDue(id: string, due_date: string, more: JsonObject = {}) {
  const lines = [{ price: { amount: '0.1', currency: 'EUR' } }]
  return recordOf('invoice', id, { reference: id, type: 'invoice', status: 'due', due_date, lines, ...more })
}

/** The ids of the shipments that stand on a page of today. */
function standingOn(text: string): readonly string[] {
  return [...text.matchAll(/<p class="whose">\s*<a href="\/records\/shipment\/acme\/(S\d+)"/g)].map(([, id = '']) => id)
}

function poster(desk: Desk, cookie: string) {
  return async (path: 'acknowledge' | 'reopen', fields: readonly (readonly [string, string])[]) =>
    await desk.ask(`/exceptions/${path}`, {
      method: 'POST',
      headers: { ...FORM, cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
    })
}

async function deskWith(opens: readonly SilentOpening[]): Promise<Desk> {
  const desk = await Desk.open()
  await desk.store.commit({ ...batch({ records: [write(sampleState('A'))], exceptions: { opens } }), account: 'acme' })
  return desk
}

function stands(id: string, milestone: 'arrival' | 'delivery'): SilentOpening {
  return { type: 'shipment.problem_reported', subject: { resource: 'shipment', id }, milestone, at: T }
}

function everybody() {
  return { token: null, viewerToken: null, tokens: [], publicUrl: null }
}
