import { expect, test } from 'vitest'
import type { LoggedEvent } from '../../src/model/event.ts'
import type { ChannelSettings } from '../../src/model/subscription.ts'
import { subscription } from '../support/subscription.ts'
import { ActingDesk, VIEWER_TOKEN } from './acting-desk.ts'
import { ask } from './ask.ts'
import { NOW, recordOf, sampleDesk } from './sample-desk.ts'
import { faultsOf } from './valid-html.ts'

const ARABIC = 'شحنة الأثاث'

test('a sentence runs from left to right, though it begins with a name that does not', async () => {
  const { context, store } = sampleDesk()
  const [event] = store.log
  if (event === undefined) throw new Error('The sample rang.')
  store.log = [{ ...event, shipment: event.shipment && { ...event.shipment, name: ARABIC } }]
  for (const path of ['/events', `/events/${event.id}`, `/records/shipment/${event.account}/${event.subject.id}`])
    expect([path, (await ask(context, path)).text]).toEqual([
      path,
      expect.stringMatching(new RegExp(`<bdi (?:class="long" )?dir="ltr">[^<]*(?:${ARABIC}|ETA)`)),
    ])
})

test('an address breaks between its parts', async () => {
  const { context, store } = sampleDesk()
  const name = 'https://files.example/very/long/address?with=parameters'
  store.details = [{ ...recordOf('document', 'D1', { name }), name }]
  const { text } = await ask(context, '/records/document')
  expect(text).toContain('very/<wbr />long/<wbr />address?<wbr />with=<wbr />parameters')
  expect(await faultsOf(text)).toEqual([])
})

test('what is about Shipbell has its instants on the one clock, and its commands as code', async () => {
  const { context, store } = sampleDesk()
  const [event] = store.log
  if (event === undefined) throw new Error('The sample rang.')
  const disabled: LoggedEvent = {
    ...event,
    id: 'evt_disabled',
    type: 'endpoint.disabled',
    subject: { ...event.subject, resource: 'subscription', id: 'erp' },
    shipment: null,
    changes: null,
    object: null,
    extras: { reason: 'nothing but failures since 2026-11-17T23:09:21.871Z: http://a.example answered 500' },
    timestamp: NOW,
  }
  store.log = [disabled]
  const { text } = await ask(context, '/events?tz=Asia/Tokyo')
  expect(text).toContain('>Wed 18 Nov 2026, 08:09 UTC+9</time>')
  expect(text).toContain('<code>shipbell subscriptions enable erp</code>')
  const german = (await ask(context, '/events?lang=de')).text
  expect(german).toContain('nichts als Fehlschläge seit <time')
  expect(german).toContain('http://a.example antwortete 500')
})

test('a page takes several types and states, as the API does', async () => {
  const { context, store } = sampleDesk()
  const types = ['invoice.due_soon', 'shipment.eta_changed'] as const
  const one = (await ask(context, `/events?type=${types[1]}`)).text
  const both = (await ask(context, `/events?type=${types[0]}&type=${types[1]}`)).text
  expect(one).not.toContain(`type=${types[0]}"`)
  expect(both.match(/Take this filter out/g)).toHaveLength(2)
  expect(both).toContain('data-key="evt_')
  const states = [...new Set(store.rows.map(({ state }) => state))].slice(0, 2)
  const rows = (await ask(context, `/deliveries?${states.map((state) => `state=${state}`).join('&')}`)).text
  expect(states.filter((state) => rows.includes(`<bdi>${state}</bdi></span>`))).toEqual(states)
  expect(rows.match(/name="state" value/g)?.length).toBeGreaterThanOrEqual(2)
})

test('a mode is found however it is capitalised', async () => {
  const { context } = sampleDesk()
  expect((await ask(context, '/records/shipment?mode=Ocean')).status).toBe(200)
})

test('a row of a feed waits to be taken, and nobody can send it', async () => {
  const { context, store } = sampleDesk()
  const row = store.rows[0]
  if (row === undefined) throw new Error('The sample has rows.')
  store.rows = [{ ...row, state: 'pending', lastError: null, subscription: 'feed' }]
  const channel: ChannelSettings<'pull'> = {
    kind: 'pull',
    keepMs: 1,
    payload: 'full',
    format: 'standard',
    hidden: [],
    timeoutMs: 0,
    concurrency: 0,
  }
  const pulled = { ...context, subscriptions: () => [subscription('feed', { channel })] }
  const { text } = await ask(pulled, `/deliveries/${row.id}`)
  expect(text).toContain('Waits to be taken from the feed of the subscription.')
  expect(text).not.toContain('is due now')
})

test('an order says at a glance when it is expected', async () => {
  const { context, store } = sampleDesk()
  const order = { po_number: 'PO-1', desired_delivery_date: '2026-12-12' }
  store.details = [{ ...recordOf('purchase_order', 'PO-1', order), etaAt: Date.UTC(2026, 11, 26) }]
  const { text } = await ask(context, '/records/purchase_order/acme/PO-1')
  expect(text).toMatch(/Expected delivery<\/dt>\s*<dd><time [^>]*>Sat 26 Dec 2026/)
  expect(text).toContain('14 days late')
})

test('pictures of several characters stay one, and nothing else that joins is left unseen', async () => {
  const { context, store } = sampleDesk()
  const family = '👩\u200D👩\u200D👧 a\u200Db 👩\u200D'
  store.details = [{ ...recordOf('document', 'D1', { name: family }), name: family }]
  const { text } = await ask(context, '/records/document')
  expect(text).toContain(String.raw`<bdi>👩${'\u200D'}👩${'\u200D'}👧 a\u200db 👩\u200d</bdi>`)
})

test('what orders tell of a shipment names it', async () => {
  const { context, store } = sampleDesk()
  const [event] = store.log
  if (event === undefined) throw new Error('The sample rang.')
  const told = (id: string): LoggedEvent => ({
    ...event,
    id,
    account: 'acme',
    type: 'purchase_order.shipment_status_changed',
    subject: { ...event.subject, resource: 'purchase_order', id },
    object: {},
    shipment: null,
    changes: [],
    extras: { shipment_id: 'S1', from: 'booked', to: 'in_progress' },
  })
  store.log = [told('PO-1'), told('PO-2')]
  store.details = [recordOf('shipment', 'S1', { name: 'Garden chairs' })]
  const { text } = await ask(context, '/events')
  expect(text).toMatch(/<p class="whose"><a href="\/records\/shipment\/acme\/S1"><bdi>Garden chairs</)
  // One that is alone says so in its sentence, here and on its own page.
  store.log = [told('PO-1')]
  store.details.push(recordOf('purchase_order', 'PO-1', {}))
  for (const path of ['/events', '/events/PO-1', '/records/purchase_order/acme/PO-1'])
    expect([path, (await ask(context, path)).text]).toEqual([
      path,
      expect.stringContaining('Shipment Garden chairs of purchase order PO-1 went from booked to in progress.'),
    ])
})

test('what a viewer may not do is said in their language, and leads home', async () => {
  const desk = new ActingDesk({ token: VIEWER_TOKEN })
  const { status, text } = await desk.get('/subscriptions/erp/discard?lang=de')
  expect([status, /<h1>([^<]*)/.exec(text)?.[1]]).toEqual([403, 'Nicht erlaubt'])
  expect(text).not.toContain('Ohne Filter')
})
