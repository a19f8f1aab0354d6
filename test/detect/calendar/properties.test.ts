import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invoiceCalendar } from '../../../src/detect/calendar/invoice-calendar.ts'
import type { Edge } from '../../../src/detect/calendar/calendar-rules.ts'
import { ringEdges } from '../../../src/detect/calendar/ring-edges.ts'
import type { EventDraft } from '../../../src/model/event.ts'
import { dueDateOf, isOpenInvoice } from '../../../src/model/invoice.ts'
import { textField, type JsonObject } from '../../../src/model/json.ts'
import { dayOf } from '../../../src/model/zoned-day.ts'
import { at, invoice, Life } from './life.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = at('2026-03-20T00:00Z')

const zones = fc.constantFrom(
  'UTC',
  'Europe/Paris',
  'Pacific/Pago_Pago',
  'Pacific/Kiritimati',
  'Asia/Beirut',
  'Asia/Kolkata',
)
const leads = fc.constantFrom([7 * DAY, DAY], [DAY], [], [36 * HOUR, 2 * DAY], [30 * DAY, 3 * DAY, 6 * HOUR])
const worlds = fc.record({ timeZone: zones, dueSoonMs: leads, silent: fc.boolean() })
const dueDates = fc.constantFrom('2026-03-22', '2026-03-29', '2026-03-30', '2026-04-10', null)
const statuses = fc.constantFrom('available', 'due', 'new', 'partially_paid', 'paid', 'write_off', 'litigious', 'odd')
const records = fc
  .record({
    status: statuses,
    due_date: dueDates,
    type: fc.constantFrom('invoice', 'invoice', 'invoice', 'credit_note'),
  })
  .map((fields): JsonObject => invoice(fields))
const instants = fc.integer({ min: -5 * 24, max: 40 * 24 }).map((hours) => START + hours * HOUR)

type Step =
  | { readonly kind: 'read'; readonly record: JsonObject; readonly now: number }
  | { readonly kind: 'look' | 'crash'; readonly now: number }
  | { readonly kind: 'configure'; readonly timeZone: string; readonly dueSoonMs: readonly number[] }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), record: records, now: instants }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('look' as const, 'crash' as const), now: instants }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('configure' as const), timeZone: zones, dueSoonMs: leads }) },
  ),
  { minLength: 1, maxLength: 30 },
)

const OVERDUE = 'invoice.overdue '
const CLEARED = 'invoice.overdue_cleared'

/** What makes an edge of an invoice that edge. */
function edgeOf({ type, extras }: EventDraft): string {
  return [type, ...['due_date', 'lead', 'reason'].map((name) => textField(extras, name))].join(' ')
}

/** Looks, and checks that the instant of the next look was right: where it says there is nothing, there is nothing. */
function lookAt(life: Life, now: number): readonly EventDraft[] {
  const { state } = life
  if (state === null) return []
  const input = { account: 'acme', resource: 'invoice', state, firedAt: 77, shipment: null } as const
  const anyway = ringEdges({ ...input, calendar: { ...life.settings, now } }).events
  const events = life.lookEvents(now)
  expect(events).toEqual(anyway)
  return events
}

describe('whatever the order of reads, looks, crashes, jumps of the clock and new settings', () => {
  it('every edge rings once until it is taken back, for an open invoice, after its instant, and due_soon before the due day', () => {
    fc.assert(
      fc.property(worlds, steps, ({ timeZone, dueSoonMs, silent }, steps) => {
        const life = new Life('invoice', { timeZone, dueSoonMs })
        const rang: EventDraft[] = []
        life.read(invoice(), START, silent ? 'silent' : 'ring')
        for (const step of steps) {
          if (step.kind === 'configure') {
            life.configure(step)
            continue
          }
          if (step.kind === 'read') {
            rang.push(...life.readEvents(step.record, step.now).filter(({ type }) => type === CLEARED))
            continue
          }
          const before = life.state
          const events = lookAt(life, step.now)
          if (step.kind === 'crash') {
            // The process died before the commit: the next one finds the same edges under the same ids.
            life.state = before
            expect(life.lookEvents(step.now).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
          }
          for (const event of events) expectSound(life, event, step.now)
          rang.push(...events)
        }
        expect(repeatedEdges(rang)).toEqual([])
        expect(new Set(rang.map(({ id }) => id)).size).toBe(rang.length)
      }),
      { numRuns: 150 },
    )
  })
})

/** Edges that rang twice; one that rang overdue may do so again once that was taken back. */
function repeatedEdges(rang: readonly EventDraft[]): readonly string[] {
  const seen = new Set<string>()
  return rang.map(edgeOf).filter((edge) => {
    if (edge.startsWith(CLEARED)) for (const each of seen) if (each.startsWith(OVERDUE)) seen.delete(each)
    if (edge.startsWith(CLEARED)) return false
    return seen.size === seen.add(edge).size
  })
}

function expectSound({ settings, state }: Life, { type, extras, object }: EventDraft, now: number): void {
  expect(object).toEqual(state?.seen)
  expect(object !== null && isOpenInvoice(object)).toBe(true)
  expect(extras.due_date).toBe(object === null ? null : dueDateOf(object))
  expect(at(textField(extras, 'at') ?? '')).toBeLessThanOrEqual(now)
  const today = dayOf(now, settings.timeZone)
  const dueDate = textField(extras, 'due_date') ?? ''
  if (type === 'invoice.due_soon') expect(today < dueDate).toBe(true)
  else expect(today >= dueDate).toBe(true)
}

describe('while time goes on and nobody misses an hour', () => {
  it('exactly those edges ring that are crossed while open, and the latest one where the calendar starts anew', () => {
    const days = fc.array(fc.option(records, { nil: null }), { minLength: 5, maxLength: 35 })
    fc.assert(
      fc.property(zones, leads, days, (timeZone, dueSoonMs, days) => {
        const life = new Life('invoice', { timeZone, dueSoonMs })
        let current = invoice({ due_date: '2026-04-10' })
        life.read(current, START, 'silent')
        const expected: string[] = []
        const spent = new Set<string>()
        let overdue: string | null = null
        const rang: string[] = []
        const expectToRing = (edges: readonly Edge[]): void => {
          for (const { key } of edges) {
            const mayRingAgain = overdue === null && key.startsWith('overdue/')
            if (spent.has(key) && !mayRingAgain) continue
            spent.add(key)
            expected.push(key)
            if (key.startsWith('overdue/')) overdue = key.slice('overdue/'.length)
          }
        }
        for (let hour = 1; hour <= days.length * 24; hour += 1) {
          const now = START + hour * HOUR
          const next = hour % 24 === 11 ? days[Math.floor(hour / 24)] : null
          const calendar = { ...life.settings, now: Number.NEGATIVE_INFINITY }
          const edges = (record: JsonObject) => invoiceCalendar.pending({ record, memory: {}, calendar })
          if (isOpenInvoice(current))
            expectToRing(edges(current).filter((edge) => now - HOUR < edge.at && edge.at <= now))
          for (const event of life.lookEvents(now)) rang.push(keyOf(event))
          if (next === null || next === undefined) continue
          if (overdue !== null && isTakenBack(next, overdue, dayOf(now, timeZone))) overdue = null
          const anew = dueDateOf(next) !== dueDateOf(current) || !isOpenInvoice(current)
          if (anew && isOpenInvoice(next))
            expectToRing(
              edges(next)
                .filter((edge) => edge.at <= now)
                .slice(-1),
            )
          life.read(next, now)
          current = next
          for (const event of life.lookEvents(now)) rang.push(keyOf(event))
        }
        expect(rang).toEqual(expected)
      }),
      { numRuns: 25 },
    )
  })
})

/** Whether an invoice that rang overdue for a due date is so no more. */
function isTakenBack(next: JsonObject, overdue: string, today: string): boolean {
  const [type, status, dueDate] = ['type', 'status', 'due_date'].map((name) => textField(next, name))
  if (type === 'credit_note' || status === 'paid' || status === 'write_off') return true
  if (!isOpenInvoice(next)) return false
  return dueDate === null || (dueDate !== overdue && (dueDate ?? '') >= today)
}

function keyOf({ type, extras }: EventDraft): string {
  const rule = type.slice('invoice.'.length)
  const rest = ['due_date', 'lead', 'reason'].map((name) => textField(extras, name)).filter((part) => part !== null)
  return [rule, ...rest].join('/')
}
