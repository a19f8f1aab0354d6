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
  it('says of a date how far it went in all, and what happened at its end', () => {
    const { text } = mailed([moved('S1', [D12, D15]), moved('S1', [D15, D12]), moved('S1', [D12, D17])])
    const found = sections(text)
    expect(Object.keys(found)).toEqual(['WARNINGS', 'WHAT HAPPENED, IN ORDER'])
    expect(found['WARNINGS']).toEqual(['Ship S1 (S1): ETA 12 → 17 Dec, 5 days later, 3 moves.'])
    expect(found['WHAT HAPPENED, IN ORDER']).toEqual([
      expect.stringContaining('moved 3 days later'),
      expect.stringContaining('moved 3 days earlier'),
      expect.stringContaining('moved 5 days later'),
    ])
  })

  it('says of a date that came back that it moved and came back, and warns of nothing', () => {
    const { text } = mailed([moved('S1', [D12, D15]), moved('S1', [D15, '2026-12-12T11:00:00+01:00'])])
    expect(sections(text)['FOR INFORMATION']).toEqual(['Ship S1 (S1): ETA moved and came back: 12 Dec.'])
    expect(sections(text)['WARNINGS']).toBeUndefined()
  })

  it('tells one change as it happened, without a log that says it again', () => {
    const { text } = mailed([moved('S1', [D12, D17]), moved('S2', [D12, D15])])
    expect(Object.keys(sections(text))).toEqual(['WARNINGS'])
    expect(text).not.toContain('WHAT HAPPENED')
  })

  it('sorts by what needs someone, shipment by shipment, whatever happened first', () => {
    const { text } = mailed([
      moved('S3', [D12, D15]),
      moved('S3', [D15, D12]),
      moved('S2', [D17, D15]),
      moved('S2', [D15, D12]),
      moved('S1', [D12, D15]),
      moved('S1', [D15, D17]),
      about('shipment.problem_reported', 'S4'),
      about('tracking.event_added', 'S1'),
    ])
    const found = sections(text)
    expect(Object.keys(found)).toEqual([
      'CRITICAL',
      'WARNINGS',
      'GOOD NEWS',
      'FOR INFORMATION',
      'WHAT HAPPENED, IN ORDER',
    ])
    expect(found['CRITICAL']).toEqual([expect.stringContaining('Ship S4')])
    expect(found['WARNINGS']).toEqual([
      'Ship S1 (S1): ETA 12 → 17 Dec, 5 days later, 2 moves.',
      expect.stringContaining('Gate in'),
    ])
    expect(found['GOOD NEWS']).toEqual(['Ship S2 (S2): ETA 17 → 12 Dec, 5 days earlier, 2 moves.'])
    expect(found['WHAT HAPPENED, IN ORDER']).toHaveLength(8)
  })

  it('no longer warns of what was over before it was sent', () => {
    const trouble = about('shipment.problem_reported', 'S1', { date_change: { milestone: 'arrival' } })
    const overdue = about('shipment.milestone_overdue', 'S1', { milestone: 'arrival' })
    const arrived = about('shipment.arrived', 'S1')
    expect(sections(mailed([trouble, overdue, arrived]).text)['CRITICAL']).toBeUndefined()
    const cleared = about('shipment.problem_cleared', 'S1', { date_change: { milestone: 'arrival', to: null } })
    expect(sections(mailed([trouble, cleared]).text)['CRITICAL']).toBeUndefined()
    const other = about('shipment.departed', 'S1')
    expect(sections(mailed([trouble, other]).text)['CRITICAL']?.[0]).toContain('problem')
  })

  it('keeps dates of departure and arrival apart, and shipments with one name', () => {
    const { text } = mailed([
      moved('S1', [D12, D15]),
      moved('S1', [D15, D17]),
      moved('S1', [D12, D15], 'departure'),
      moved('S1', [D15, '2027-01-02T10:00:00Z'], 'departure'),
    ])
    expect(sections(text)['WARNINGS']).toEqual([
      'Ship S1 (S1): ETA 12 → 17 Dec, 5 days later, 2 moves.',
      'Ship S1 (S1): ETD 12 Dec 2026 → 2 Jan 2027, 21 days later, 2 moves.',
    ])
  })

  it('within a day shows the hours', () => {
    const { text } = mailed([moved('S1', [D12, D15]), moved('S1', [D15, '2026-12-12T14:30:00Z'])])
    expect(text).toContain('ETA 12 Dec, 11:00 → 15:30, 4 hours 30 minutes later, 2 moves.')
  })

  it('of a date that came or went tells the last of it', () => {
    const { text } = mailed([moved('S1', [null, D15]), moved('S1', [D15, D17])])
    expect(Object.values(sections(text))[0]).toEqual([expect.stringContaining('moved 2 days later')])
  })

  it('shows 100 of a long log, the newest, and counts the rest', () => {
    const events = Array.from({ length: 300 }, (_, index) => moved('S1', index % 2 === 0 ? [D12, D15] : [D15, D17]))
    const { text } = mailed(events)
    expect(sections(text)['WHAT HAPPENED, IN ORDER']).toHaveLength(100)
    expect(text).toContain('And 200 more events')
  })

  it.each([
    ['de', 'ETA 12. → 17. Dez., 5 Tage später, 2 Verschiebungen.'],
    ['fr', 'ETA 12 → 17 déc., 5\u00A0jours plus tard, 2 décalages.'],
    ['nl', 'ETA 12 → 17 dec, 5 dagen later, 2 verschuivingen.'],
    ['es', 'ETA 12 → 17 dic, 5 días más tarde, 2 cambios.'],
  ] as const)('sums up in %s', (language, end) => {
    expect(mailed([moved('S1', [D12, D15]), moved('S1', [D15, D17])], { language }).text).toContain(end)
  })
})

it('puts the colon of the language behind a label', () => {
  const { text } = mailed([moved('S1', [D12, D15]), moved('S2', [D12, D17])], { language: 'fr' })
  expect(text).toMatch(/^ +Trajet : Shanghai/m)
  expect(text).not.toMatch(/^ +\p{L}+: /mu)
})

describe('the digest of a week', () => {
  it('is named after its Monday and begins with what slipped most', () => {
    const { subject, text } = mailed([moved('S1', [D12, D15]), moved('S2', [D12, D17]), moved('S3', [D15, D12])], {
      every: 'week',
    })
    expect(subject).toBe('acme, Week of Mon 16 Nov: 3 events, 2 warnings')
    const found = sections(text)
    expect(Object.keys(found)[0]).toBe('SLIPPED MOST')
    expect(found['SLIPPED MOST']?.map((line) => /Ship S\d/.exec(line)?.[0])).toEqual(['Ship S2', 'Ship S1', 'Ship S3'])
  })

  it('tells a date that moved once as short as one that moved often', () => {
    const events = [moved('S1', [D12, D15]), moved('S1', [D15, D17]), moved('S2', [D12, D15])]
    const slipped = sections(mailed(events, { every: 'week' }).text)['SLIPPED MOST'] ?? []
    expect(slipped.filter((line) => line.includes('ETA'))).toEqual([
      expect.stringContaining('ETA 12 → 17 Dec, 5 days later, 2 moves.'),
      expect.stringContaining('ETA 12 → 15 Dec, 3 days later, 1 move.'),
    ])
  })
})
