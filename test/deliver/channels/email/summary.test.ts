import { describe, expect, it } from 'vitest'
import { mailOf } from '../../../../src/deliver/channels/email/mail-of.ts'
import { messageRenderer } from '../../../../src/deliver/channels/message-renderer.ts'
import type { Language } from '../../../../src/model/reader.ts'
import type { EventType } from '../../../../src/model/event-catalogue.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import type { Json, JsonObject } from '../../../../src/model/json.ts'
import { sampleEvent } from '../../../../src/samples/sample-event.ts'
import { claimed, emailChannel } from './mailing.ts'

const T = Date.UTC(2026, 10, 20, 14)
let rung = 0

function about(type: EventType, id: string, extras: JsonObject = {}): ShipbellEvent {
  const sample = sampleEvent(type)
  rung += 1
  return {
    ...sample,
    id: `evt_${rung}`,
    timestamp: T + rung * 60_000,
    subject: { ...sample.subject, id },
    shipment: sample.shipment && { ...sample.shipment, id, name: `Ship ${id}` },
    extras: { ...sample.extras, ...extras },
  }
}

function dated(date: string | null): Json {
  return date === null ? null : { date, status: 'estimated' }
}

type Sides = readonly [string | null, string | null]

function moved(id: string, [from, to]: Sides, milestone = 'arrival'): ShipbellEvent {
  const minutes = from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 60_000
  const change = { milestone, from: dated(from), to: dated(to), shift_minutes: minutes, direction: 'later' }
  const type = milestone === 'departure' ? 'shipment.etd_changed' : 'shipment.eta_changed'
  return about(type, id, { date_change: change })
}

interface Kind {
  readonly language?: Language
  readonly every?: 'day' | 'week'
}

function mailed(events: readonly ShipbellEvent[], { language = 'en', every = 'day' }: Kind = {}) {
  const [first, ...rest] = events.map((event) => claimed(event))
  if (first === undefined) throw new Error('a digest tells something')
  const timeZone = 'Europe/Paris'
  const render = messageRenderer(emailChannel({ language, timeZone }), {})
  return mailOf([first, ...rest], { digest: { atMinutes: 480, timeZone, every }, from: 'a@example.com', render })
}

/** Titles of sections, and the lines below each. */
function sections(text: string): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {}
  let title = ''
  for (const line of text.split('\n')) {
    if (/^[^-]*$/.test(line) && /\p{Lu}{2}/u.test(line) && line === line.toUpperCase()) title = line
    else if (line.startsWith('- ')) (found[title] ??= []).push(line.slice(2))
  }
  return found
}

const D12 = '2026-12-12T10:00:00Z'
const D15 = '2026-12-15T10:00:00Z'
const D17 = '2026-12-17T10:00:00Z'

describe('a digest', () => {
  it('says of a date how far it went in all, once', () => {
    const { text } = mailed([moved('S1', [D12, D15]), moved('S1', [D15, D12]), moved('S1', [D12, D17])])
    expect(sections(text)).toEqual({ 'SLIPPED MOST': ['Ship S1: ETA 12 → 17 Dec, 5 days later.'] })
  })

  it('says nothing of a date that came back, but where nothing else is to be told', () => {
    const back = [moved('S1', [D12, D15]), moved('S1', [D15, '2026-12-12T11:00:00+01:00'])]
    expect(sections(mailed([...back, moved('S2', [D12, D15])]).text)).toEqual({
      'SLIPPED MOST': [expect.stringContaining('Ship S2')],
    })
    expect(sections(mailed(back).text)).toEqual({
      'OTHER CHANGES': ['Ship S1: All that changed is back to what it was.'],
    })
  })

  it('sorts by what needs someone, what slipped most, invoices with their sums, what is done, then the rest', () => {
    const { text } = mailed([
      moved('S3', [D12, D15]),
      moved('S2', [D17, D12]),
      moved('S1', [D12, D17]),
      about('shipment.problem_reported', 'S4'),
      {
        ...about('invoice.overdue', 'INV-1'),
        shipment: null,
        object: { ...sampleEvent('invoice.overdue').object, platform_shipment_id: null },
      },
      {
        ...about('invoice.due_soon', 'INV-2'),
        shipment: null,
        object: { ...sampleEvent('invoice.due_soon').object, platform_shipment_id: null },
      },
      about('shipment.goods_updated', 'S5'),
    ])
    const found = sections(text)
    expect(Object.keys(found)).toEqual(['WHAT NEEDS SOMEONE', 'SLIPPED MOST', 'INVOICES', 'GOOD NEWS', 'OTHER CHANGES'])
    expect(found['WHAT NEEDS SOMEONE']).toEqual([expect.stringContaining('Ship S4'), expect.stringContaining('INV-1')])
    expect(found['SLIPPED MOST']?.map((line) => /Ship S\d/.exec(line)?.[0])).toEqual(['Ship S1', 'Ship S3'])
    expect(text).toContain('1 overdue: EUR 1,250.50\n1 falling due: EUR 1,250.50\n')
    expect(found['INVOICES']).toEqual([expect.stringContaining('INV-2')])
    expect(found['GOOD NEWS']).toEqual([expect.stringContaining('Ship S2')])
  })

  it('no longer warns of what was over before it was sent', () => {
    const trouble = about('shipment.problem_reported', 'S1', {
      date_change: { milestone: 'arrival', from: dated(D12), to: { date: D12, status: 'problem' } },
    })
    const overdue = about('shipment.milestone_overdue', 'S1', { milestone: 'arrival' })
    const arrived = about('shipment.arrived', 'S1')
    expect(sections(mailed([trouble, overdue, arrived]).text)['WHAT NEEDS SOMEONE']).toBeUndefined()
    const other = about('shipment.departed', 'S1')
    expect(sections(mailed([trouble, other]).text)['WHAT NEEDS SOMEONE']?.[0]).toContain('problem')
  })

  it('tells two shipments of one name apart', () => {
    const named = [moved('S1', [D12, D15]), moved('S1', [D15, D17]), moved('S2', [D12, D15]), moved('S2', [D15, D17])]
    const { text } = mailed(
      named.map((event) => ({ ...event, shipment: event.shipment && { ...event.shipment, name: 'Toys' } })),
    )
    expect(sections(text)['SLIPPED MOST']?.map((line) => /Toys \(S\d\)/.exec(line)?.[0])).toEqual([
      'Toys (S1)',
      'Toys (S2)',
    ])
  })

  it('within a day shows the hours', () => {
    const { text } = mailed([moved('S1', [D12, D15]), moved('S1', [D15, '2026-12-12T14:30:00Z'])])
    expect(text).toContain('ETA 12 Dec, 11:00 → 15:30, 4 hours 30 minutes later.')
  })

  it('of a date that came tells that it came', () => {
    const { text } = mailed([moved('S1', [null, D15]), moved('S1', [D15, D17])])
    expect(text).toContain('Ship S1: ETA is now estimated for Thu 17 Dec 2026, 11:00 CET; no date was known before.')
  })

  it.each([600, 10_000])('of %d events has at most 40 lines and 60 kB, and each shipment once', (amount) => {
    const types = [
      'shipment.problem_reported',
      'shipment.eta_changed',
      'shipment.departed',
      'invoice.overdue',
      'document.added',
      'shipment.goods_updated',
      'tracking.event_added',
    ] as const
    const events = Array.from({ length: amount }, (_, index) => {
      const id = `S${Math.floor(index / 5)}`
      const type = types[index % types.length] ?? 'shipment.goods_updated'
      const event = about(type, type.startsWith('shipment') || type.startsWith('tracking') ? id : `R${index}`)
      const shipment = {
        id,
        name: `語語語語語語語語 ${id} `,
        status: null,
        freight_mode: null,
        purchase_order_references: [],
        container_numbers: [],
        master_bill: null,
        house_bill: null,
      }
      return { ...event, shipment }
    })
    const { html, text } = mailed(events)
    expect(text.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(40)
    expect(Buffer.byteLength(text) * 1.4 + Buffer.byteLength(html) * 1.4).toBeLessThan(60_000)
    const told = [...text.matchAll(/語 (S\d+)/g)].map(([, id]) => id)
    expect(told.length).toBeGreaterThan(15)
    expect(new Set(told).size).toBe(told.length)
  })

  it.each([
    ['de', 'ETA 12. → 17. Dez., 5 Tage später.'],
    ['fr', 'ETA 12 → 17 déc., 5\u00A0jours plus tard.'],
    ['nl', 'ETA 12 → 17 dec, 5 dagen later.'],
    ['es', 'ETA 12 → 17 dic, 5 días más tarde.'],
  ] as const)('sums up in %s', (language, end) => {
    expect(mailed([moved('S1', [D12, D15]), moved('S1', [D15, D17])], { language }).text).toContain(end)
  })
})

it('puts the colon of the language behind a name', () => {
  const { text } = mailed([moved('S1', [D12, D15]), moved('S1', [D15, D17])], { language: 'fr' })
  expect(text).toContain('- Ship S1 : ETA')
})

it('the digest of a week is named after its Monday', () => {
  rung = 0
  const { subject } = mailed([moved('S1', [D12, D15]), moved('S2', [D12, D17]), moved('S3', [D15, D12])], {
    every: 'week',
  })
  expect(subject).toBe('acme, Week of Mon 16 Nov: 3 events, 2 warnings')
})
