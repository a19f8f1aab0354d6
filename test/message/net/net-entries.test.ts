import { expect, test } from 'vitest'
import { entryText, saidEntry } from '../../../src/message/net/entry-words.ts'
import { netEntries } from '../../../src/message/net/net-entries.ts'
import { wordingOf } from '../../../src/message/wording/wording.ts'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import { LANGUAGES } from '../../../src/model/reader.ts'
import { NetWorld } from './net-world.ts'

const PARIS = wordingOf({ language: 'en', timeZone: 'Europe/Paris' })

function told(events: readonly ShipbellEvent[]): readonly string[] {
  return netEntries(events).map((entry) => entryText(saidEntry(entry, PARIS), PARIS))
}

interface Case {
  readonly name: string
  readonly events: (world: NetWorld) => readonly ShipbellEvent[]
  /** What is said, an entry each. */
  readonly told: readonly (string | RegExp)[]
}

const RETURNED = 'Ship S1: All that changed is back to what it was.'

/** What an order rings when the date of `S1` makes it late. */
function atRisk(world: NetWorld, order: string, because: string | null): readonly ShipbellEvent[] {
  const [from, to] = ['12', '17'].map((day) => ({
    date: `2026-12-${day}T10:00:00Z`,
    status: 'estimated',
    basis: 'arrival',
    shipment_id: 'S1',
  }))
  if (from === undefined || to === undefined) return []
  return [
    world.about('purchase_order.eta_changed', [order, null], { because, from, to, shift_minutes: 7_200 }),
    world.about('purchase_order.delivery_at_risk', [order, null], { because, slack_days: -3, to }),
  ].map((event) => ({ ...event, cause: 'derived', shipment: null }))
}

const CASES: readonly Case[] = [
  {
    name: 'an event that is alone keeps its sentence',
    events: (w) => [w.eta('S1', '2026-12-12', '2026-12-15')],
    told: [/^Arrival \(ETA\) of Ship S1 \(S1\) moved 3 days later, from Sat 12 Dec/],
  },
  {
    name: 'a date that moved often is told once, from its first value to its last',
    events: (w) => [
      w.eta('S1', '2026-12-12', '2026-12-15'),
      w.eta('S1', '2026-12-15', '2026-12-12'),
      w.eta('S1', '2026-12-12', '2026-12-17'),
    ],
    told: ['Ship S1: ETA 12 → 17 Dec, 5 days later.'],
  },
  {
    name: 'a date that returned is no change',
    events: (w) => [w.eta('S1', '2026-12-12', '2026-12-15'), w.eta('S1', '2026-12-15', '2026-12-12')],
    told: [RETURNED],
  },
  {
    name: 'a date that returned beside what did not is left out',
    events: (w) => [
      w.eta('S1', '2026-12-12', '2026-12-15'),
      w.dated('S1', 'shipment.etd_changed', ['2026-12-01', '2026-12-02', 'departure']),
      w.eta('S1', '2026-12-15', '2026-12-12'),
    ],
    told: ['Ship S1: ETD 1 → 2 Dec, 1 day later.'],
  },
  {
    name: 'the heaviest comes first, in an entry and among entries',
    events: (w) => [
      w.about('shipment.goods_updated', 'S1'),
      w.eta('S2', '2026-12-12', '2026-12-30'),
      w.eta('S1', '2026-12-12', '2026-12-15'),
      w.dated('S1', 'shipment.problem_reported', ['2026-12-01', '2026-12-01 problem', 'departure']),
    ],
    told: [
      /^Ship S1: A problem was reported with the departure, .* ETA 12 → 15 Dec, .* The goods changed/,
      /Ship S2 \(S2\)/,
    ],
  },
  {
    name: 'a milestone that was reached says how far from what was told',
    events: (w) => [
      w.eta('S1', '2026-12-12', '2026-12-15'),
      w.about('shipment.milestone_overdue', 'S1', { milestone: 'arrival' }),
      w.dated('S1', 'shipment.arrived', ['2026-12-15', '2026-12-16 actual']),
    ],
    told: ['Ship S1: Arrived on Wed 16 Dec 2026, 11:00 CET, 4 days later than last known.'],
  },
  {
    name: 'a problem that came and went is none',
    events: (w) => [
      w.dated('S1', 'shipment.problem_reported', ['2026-12-12', '2026-12-12 problem']),
      w.dated('S1', 'shipment.problem_cleared', ['2026-12-12 problem', '2026-12-14']),
    ],
    told: ['Ship S1: ETA 12 → 14 Dec, 2 days later.'],
  },
  {
    name: 'risk that came and went is none',
    events: (w) => [
      w.about('shipment.delivery_at_risk', 'S1'),
      w.about('shipment.delivery_back_on_track', 'S1'),
      w.about('shipment.goods_updated', 'S1'),
    ],
    told: [/^Ship S1: The goods changed/],
  },
  {
    name: 'a delivery at risk is as far from what is desired as its date is by now',
    events: (w) => [
      w.about('shipment.delivery_at_risk', 'S1', { slack_days: -3 }),
      w.dated('S1', 'shipment.delivery_date_changed', ['2026-12-21', '2026-12-24', 'delivery']),
    ],
    told: [
      'Ship S1: Delivery is expected 6 days after the desired date, Fri 18 Dec 2026. Delivery 21 → 24 Dec, 3 days later.',
    ],
  },
  {
    name: 'so is one of which the records are not at hand',
    events: (w) => [
      { ...w.about('shipment.delivery_at_risk', 'S1', { slack_days: -3 }), object: null },
      { ...w.dated('S1', 'shipment.delivery_date_changed', ['2026-12-21', '2026-12-24', 'delivery']), object: null },
      { ...w.dated('S1', 'shipment.delivery_date_changed', ['2026-12-24', '2026-12-28', 'delivery']), object: null },
    ],
    told: ['Ship S1: Delivery is expected 10 days after the desired date. Delivery 21 → 28 Dec, 7 days later.'],
  },
  {
    name: 'what belongs to a shipment goes under it, and orders echo its status once',
    events: (w) => [
      w.about('shipment.status_changed', 'S1', { from: 'booked', to: 'in_progress', regression: false }),
      w.about('purchase_order.shipment_status_changed', ['PO-1', null], {
        shipment_id: 'S1',
        from: 'booked',
        to: 'in_progress',
      }),
      w.about('purchase_order.shipment_status_changed', ['PO-2', null], {
        shipment_id: 'S1',
        from: 'booked',
        to: 'in_progress',
      }),
      w.about('invoice.created', ['INV-1', 'S1'], {}),
      w.about('tracking.event_added', 'S1'),
    ],
    told: [/^Ship S1: Status booked → in progress\. Invoice .* is new, due [^.]*\. Gate in[^.]*\.$/],
  },
  {
    name: 'orders that a shipment moved go under it, several in one line',
    events: (w) => {
      const moved = w.eta('S1', '2026-12-12', '2026-12-17')
      return [moved, ...['PO-1', 'PO-2', 'PO-3'].flatMap((order) => atRisk(w, order, moved.id))]
    },
    told: ['Ship S1: 3 orders at risk: PO-1, PO-2, PO-3. ETA 12 → 17 Dec, 5 days later.'],
  },
  {
    name: 'lines of one order that were assigned to a shipment are one line, those of another order another',
    events: (w) => [
      w.about('shipment.goods_updated', 'S1'),
      ...(['PO-1', 'PO-1', 'PO-2', 'PO-1'] as const).map((order, nth) =>
        w.about('purchase_order.assigned', [order, 'S1'], { line: { reference: `${nth}0` }, shipment_id: 'S1' }),
      ),
    ],
    told: [
      /^Ship S1: 3 lines of purchase order PO-1 were assigned\. Line 20 of purchase order PO-2 was assigned\. The goods changed/,
    ],
  },
  {
    name: 'one order that a shipment moved keeps its sentence',
    events: (w) => {
      const moved = w.eta('S1', '2026-12-12', '2026-12-17')
      return [moved, ...atRisk(w, 'PO-1', moved.id)]
    },
    told: [
      /^Ship S1: Purchase order PO-1 is expected 3 days after the desired date[^.]*\. ETA 12 → 17 Dec, 5 days later\.$/,
    ],
  },
  {
    name: 'an order goes under the shipment that its date is of, where its reason is not among the events',
    events: (w) => [w.about('shipment.goods_updated', 'S1'), ...atRisk(w, 'PO-1', 'evt_elsewhere')],
    told: [/^Ship S1: Purchase order PO-1 is expected .*The goods changed/],
  },
  {
    name: 'an order that is told of for several reasons, or beside its own changes, is told by itself',
    events: (w) => {
      const [one, other] = [w.eta('S1', '2026-12-12', '2026-12-17'), w.eta('S2', '2026-12-12', '2026-12-17')]
      const own = w.about('purchase_order.updated', ['PO-2', null])
      const [risk] = atRisk(w, 'PO-1', other.id)
      return [one, other, own, ...atRisk(w, 'PO-1', one.id), ...(risk ? [risk] : []), ...atRisk(w, 'PO-2', one.id)]
    },
    told: [/^Purchase order PO-2/, /^Purchase order PO-1/, /Ship S1 \(S1\)/, /Ship S2 \(S2\)/],
  },
  {
    name: 'an order without its shipment is told by itself',
    events: (w) => atRisk(w, 'PO-1', null),
    told: [/^Purchase order PO-1 is expected/],
  },
  {
    name: 'a status goes from its first value to its last',
    events: (w) => [
      w.about('shipment.status_changed', 'S1', { from: 'booked', to: 'in_progress', regression: false }),
      w.about('shipment.status_changed', 'S1', { from: 'in_progress', to: 'draft', regression: true }),
    ],
    told: ['Ship S1: Status booked → draft, a step back.'],
  },
  {
    name: 'an invoice that was paid is not due',
    events: (w) => [
      w.about('invoice.due_soon', ['INV-1', 'S1'], {}),
      w.about('invoice.status_changed', ['INV-1', 'S1'], { from: 'due', to: 'paid' }),
    ],
    told: [/^Ship S1: Invoice .* went from due to paid\.$/],
  },
  {
    name: 'a record that came is told as it stands, one that came and went not at all',
    events: (w) => [
      w.about('invoice.created', ['INV-1', null], {}),
      w.about('invoice.amount_changed', ['INV-1', null], {}),
      w.about('invoice.created', ['INV-2', null], {}),
      w.about('invoice.removed', ['INV-2', null], {}),
    ],
    told: [/^SHP-1: Invoice \S+ \(INV-1\) over EUR 1,250\.50 is new, due [^.]*\.$/],
  },
  {
    name: 'what an event of tracking said before is what the one before it said',
    events: (w) => {
      const [first, second] = ['planned', 'actual'].map((status) => ({
        date: '2026-12-01',
        status,
        description: 'Gate in',
      }))
      if (first === undefined || second === undefined) return []
      return [
        w.about('tracking.event_added', 'S1', { event: first, previous_event: null }),
        w.about('tracking.event_actualised', 'S1', { event: second, previous_event: first }),
      ]
    },
    told: [/^Ship S1: Gate in at [^.]*, actual Tue 1 Dec 2026\.$/],
  },
  {
    name: 'a container that came and went, and leaves that are back, are no change',
    events: (w) => [
      w.about('shipment.container_added', 'S1', { container: { container_number: 'MSCU1234567' } }),
      w.about('shipment.container_removed', 'S1', { container: { container_number: 'MSCU1234567' } }),
      { ...w.about('shipment.updated', 'S1'), changes: [{ path: '/incoterm', from: 'fob', to: 'cif' }] },
      { ...w.about('shipment.updated', 'S1'), changes: [{ path: '/incoterm', from: 'cif', to: 'fob' }] },
    ],
    told: [RETURNED],
  },
  {
    name: 'tests net out with nothing',
    events: (w) => [
      { ...w.eta('S1', '2026-12-12', '2026-12-15'), cause: 'test' },
      w.eta('S1', '2026-12-15', '2026-12-12'),
    ],
    told: [/^Arrival .* earlier/, /^Arrival .* later/],
  },
]

test.each(CASES)('$name', ({ events, told: expected }) => {
  const said = told(events(new NetWorld()))
  expect(said).toHaveLength(expected.length)
  for (const [place, text] of expected.entries())
    if (typeof text === 'string') expect(said[place]).toBe(text)
    else expect(said[place]).toMatch(text)
})

test('an entry keeps all its events, names its shipment, and says how far its dates went', () => {
  const world = new NetWorld()
  const events = [world.eta('S1', '2026-12-12', '2026-12-15'), world.eta('S1', '2026-12-15', '2026-12-17')]
  expect(netEntries(events)).toMatchObject([
    {
      account: 'acme',
      resource: 'shipment',
      id: 'S1',
      name: 'Ship S1',
      tone: 'warning',
      events,
      changes: [{ events, minutes: 7_200 }],
    },
  ])
})

test('no line of an entry is without words of its own in any language', () => {
  const world = new NetWorld()
  const events = [
    world.eta('S1', '2026-12-12', '2026-12-15'),
    world.dated('S1', 'shipment.arrived', ['2026-12-15', '2026-12-17 actual']),
  ]
  for (const language of LANGUAGES)
    for (const entry of netEntries(events))
      expect(saidEntry(entry, wordingOf({ language, timeZone: 'UTC' })).lines[0].text).toMatch(/^\p{Lu}[^{}]*\.$/u)
})

function mine({ subject }: ShipbellEvent): string {
  return `Mine of ${subject.id}.`
}

test("what an operator's template says of several orders, or of several lines, is not lost in a sum", () => {
  const world = new NetWorld()
  const events = ['PO-1', 'PO-2'].flatMap((order) => [
    world.about('purchase_order.assigned', [order, 'S1'], { line: { reference: '10' }, shipment_id: 'S1' }),
    world.about('purchase_order.assigned', [order, 'S1'], { line: { reference: '20' }, shipment_id: 'S1' }),
  ])
  const [entry] = netEntries(events)
  expect(entry && saidEntry(entry, PARIS, mine).lines.map(({ text }) => text)).toEqual([
    'Mine of PO-1.',
    'Mine of PO-1.',
    'Mine of PO-2.',
    'Mine of PO-2.',
  ])
})
