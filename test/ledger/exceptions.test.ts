import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  exceptionsAfter,
  exceptionsConcerned,
  FINISHED_FOR_MS,
  type OpenException,
} from '../../src/ledger/exceptions.ts'
import { EVENT_CATALOGUE, type EventType } from '../../src/model/event-catalogue.ts'
import type { EventDraft } from '../../src/model/event.ts'
import { concernsExceptions } from '../../src/model/exception-types.ts'
import type { ExceptionNews } from '../../src/model/exception.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { MILESTONES } from '../../src/model/shipment.ts'
import { sampleEvent, T } from '../store/samples.ts'
import { runs } from '../support/runs.ts'

const DAY = 86_400_000

let place = 0

function rung(type: EventType, extras: JsonObject = {}, changes: Partial<EventDraft> = {}): EventDraft {
  place += 1
  const subject = { resource: type.startsWith('invoice') ? 'invoice' : 'shipment', id: 'A', version: place } as const
  return sampleEvent(`evt_${place}`, { type, extras, subject: { ...subject, previousEventId: null }, ...changes })
}

function dated(type: EventType, milestone: string, date: number = T - DAY): EventDraft {
  return rung(type, { date_change: { milestone, from: null, to: { date: formatInstant(date), status: 'estimated' } } })
}

/** What is open, and what closed, once commits of these events, one after the other, were taken. */
function after(events: readonly EventDraft[], exceptions?: ExceptionNews): readonly OpenException[] {
  const known = new Map<string, OpenException>()
  for (const event of events) take(known, [event])
  if (exceptions !== undefined) take(known, [], exceptions)
  return [...known.values()]
}

function take(known: Map<string, OpenException>, events: readonly EventDraft[], exceptions?: ExceptionNews): void {
  const open = [...known.values()].filter(({ closedAt }) => closedAt === null)
  const fresh = events.map((event) => ({ event, storedAt: event.timestamp }))
  for (const each of exceptionsAfter({ account: 'acme', fresh, exceptions }, open))
    known.set(each.id, { ...each, ref: 1 })
}

function closings(events: readonly EventDraft[]): readonly (string | null)[] {
  return after(events).map(({ closedBy }) => events.find(({ id }) => id === closedBy)?.type ?? closedBy)
}

const overdue = rung('shipment.milestone_overdue', { milestone: 'departure' })
const problem = dated('shipment.problem_reported', 'arrival')
const risk = rung('shipment.delivery_at_risk')

const CASES: readonly [string, EventDraft, EventDraft, string | null][] = [
  ['a problem is cleared', problem, dated('shipment.problem_cleared', 'arrival'), 'shipment.problem_cleared'],
  ['a problem of another milestone is cleared', problem, dated('shipment.problem_cleared', 'pickup'), null],
  ['its milestone is actual', problem, dated('shipment.arrived', 'arrival'), 'shipment.arrived'],
  ['a later milestone is actual', problem, dated('shipment.delivered', 'delivery'), null],
  ['a milestone that is overdue is actual', overdue, dated('shipment.departed', 'departure'), 'shipment.departed'],
  ['a later one than overdue is', overdue, dated('shipment.delivered', 'delivery'), 'shipment.delivered'],
  ['an earlier one is', overdue, dated('shipment.picked_up', 'pickup'), null],
  ['its date moves ahead', overdue, dated('shipment.etd_changed', 'departure', T + DAY), 'shipment.etd_changed'],
  ['its date moves within the past', overdue, dated('shipment.etd_changed', 'departure'), null],
  ['another date moves ahead', overdue, dated('shipment.eta_changed', 'arrival', T + DAY), null],
  ['it is on track again', risk, rung('shipment.delivery_back_on_track'), 'shipment.delivery_back_on_track'],
  ['it is delivered', risk, dated('shipment.delivered', 'delivery'), 'shipment.delivered'],
  ['it arrives', risk, dated('shipment.arrived', 'arrival'), null],
  ['an invoice is settled', rung('invoice.overdue'), rung('invoice.overdue_cleared'), 'invoice.overdue_cleared'],
  ['an invoice is gone', rung('invoice.overdue'), rung('invoice.removed'), 'removed'],
  ['a shipment is gone', problem, rung('shipment.removed'), 'removed'],
  ['a shipment is cancelled', risk, rung('shipment.status_changed', { to: 'cancelled' }), 'cancelled'],
  ['a shipment goes on', risk, rung('shipment.status_changed', { to: 'in_progress' }), null],
]

test.each(CASES.map(([name, opening, closing, by]) => ({ name, opening, closing, by })))('where $name', (each) => {
  expect(closings([each.opening, each.closing])).toEqual([each.by])
})

test('one is open at a time of each milestone, and opens again once it closed', () => {
  const again = dated('shipment.problem_reported', 'arrival')
  const other = dated('shipment.problem_reported', 'departure')
  expect(after([problem, again, other]).map(({ event }) => event)).toEqual([problem.id, other.id])
  const cleared = dated('shipment.problem_cleared', 'arrival')
  expect(after([problem, cleared, again]).map(({ closedAt }) => closedAt)).toEqual([T, null])
})

test('what is finished for a day ends, unless it goes on before', () => {
  const finished = rung('shipment.status_changed', { to: 'finished' })
  expect(after([risk, finished])).toMatchObject([{ closedAt: null, endsAt: T + FINISHED_FOR_MS }])
  expect(after([risk, finished, rung('shipment.status_changed', { to: 'in_progress' })])).toMatchObject([
    { endsAt: null },
  ])
  const over = rung('shipment.delivery_at_risk', {}, { object: { status: 'cancelled' } })
  expect(after([over])).toMatchObject([{ closedAt: T, closedBy: 'cancelled' }])
  const late = rung('shipment.delivery_at_risk', {}, { object: { status: 'finished' } })
  expect(after([late])).toMatchObject([{ endsAt: T + FINISHED_FOR_MS }])
})

test('what stands in silence is told by the first event that says so', () => {
  const stands = { type: 'shipment.delivery_at_risk', subject: { resource: 'shipment', id: 'A' }, at: T } as const
  const [silent] = after([], { opens: [stands, stands] })
  expect(silent).toMatchObject({ event: null, severity: 'critical', openedAt: T })
  const commit = { account: 'acme', fresh: [{ event: risk, storedAt: T + 5 }] }
  const told = exceptionsAfter(commit, silent === undefined ? [] : [{ ...silent, ref: 1 }])
  expect(told).toMatchObject([{ id: silent?.id, event: risk.id, openedAt: T }])
})

test('what closes in silence comes behind the events, and before what opens so', () => {
  const at = T + 1
  const subject = { resource: 'shipment', id: 'A' } as const
  const closes = [{ resource: 'shipment', subjectId: 'A', by: 'unwatched', at }] as const
  const known = new Map<string, OpenException>()
  take(known, [risk], { closes, opens: [{ type: 'shipment.delivery_at_risk', subject, at }] })
  expect([...known.values()].map(({ closedBy }) => closedBy)).toEqual(['unwatched', null])
})

test('a commit that says nothing of exceptions looks up none', () => {
  const events = [rung('shipment.created'), rung('shipment.rolled'), rung('shipment.container_removed')]
  expect(exceptionsConcerned({ account: 'acme', events })).toEqual([])
  expect(exceptionsConcerned({ account: 'acme', events: [problem, risk] })).toEqual([
    { resource: 'shipment', subjectId: 'A' },
  ])
  expect(exceptionsConcerned({ account: 'beta', events: [problem] })).toEqual([])
})

function ends({ closedBy, event, id }: OpenException): string {
  return `${id} ${event} ${closedBy}`
}

const CONCERNED = EVENT_CATALOGUE.flatMap(({ type }) => (concernsExceptions(type) ? [type] : []))

test('however commits are cut, the same is open in the end, at most once of each', () => {
  const drawn = fc.record({
    type: fc.constantFrom(...CONCERNED),
    milestone: fc.constantFrom(...MILESTONES),
    date: fc.constantFrom(T - DAY, T + DAY),
  })
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 20 }), fc.array(fc.nat(20), { maxLength: 4 }), (all, cuts) => {
      const events = all.map(({ date, milestone, type }) => {
        const { extras } = dated(type, milestone, date)
        return rung(type, { ...extras, milestone })
      })
      const known = new Map<string, OpenException>()
      const edges = cuts.toSorted((one, other) => one - other)
      for (const [index, from] of [0, ...edges].entries()) {
        take(known, events.slice(from, edges[index]))
        const open = [...known.values()].filter(({ closedAt }) => closedAt === null)
        expect(new Set(open.map(({ milestone, type }) => `${type} ${milestone}`)).size).toBe(open.length)
      }
      expect([...known.values()].map(ends).sort()).toEqual(after(events).map(ends).sort())
    }),
    runs(200),
  )
})
