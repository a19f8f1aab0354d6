import { formatLead } from '../../model/duration.ts'
import { formatInstant } from '../../model/instant.ts'
import {
  dueDateInForce,
  dueDateOf,
  invoiceKind,
  invoiceStanding,
  isOpenInvoice,
  unreadableDueDate,
} from '../../model/invoice.ts'
import { field, type JsonObject } from '../../model/json.ts'
import type { CalendarMemory, RecordMemory, RecordState } from '../../model/record-state.ts'
import { dayOf, daysBetween, startOfDay } from '../../model/zoned-day.ts'
import type { Finding } from '../claims.ts'
import {
  isSpent,
  punctuality,
  rememberRung,
  type Alarm,
  type CalendarRules,
  type Edge,
  type Standing,
  type Turn,
} from './calendar-rules.ts'
import type { CalendarSettings } from './calendar-settings.ts'

/** `invoice.due_soon`, `invoice.due` by date, `invoice.overdue`, `invoice.overdue_cleared` (guarantees D10 and E7). */
export const invoiceCalendar: CalendarRules = {
  arm: (turn) => {
    const { overdueUnheard: _unheard, readableDueDate: _last, ...known } = turn.memory.calendar ?? { skipped: [] }
    const { after } = dueDatesOf(turn)
    const keepsLast = after !== null && unreadableDueDate(turn.after) !== null
    const skipped = skippedEdges(turn).map(({ key }) => key)
    const unheard = unheardOf(turn, skipped)
    return {
      ...known,
      ...(unheard !== null && known.overdue === undefined && { overdueUnheard: unheard }),
      ...(keepsLast ? { readableDueDate: after } : {}),
      skipped,
      leadsMs: turn.calendar.dueSoonMs,
    }
  },
  cross: clearOverdue,
  due: (standing) => {
    const { ringing, superseded } = pendingEdges(standing)
    return { alarms: ringing.map((edge) => alarm(edge, standing.calendar)), superseded }
  },
  pending: (standing) => {
    const { coming, ringing, superseded } = pendingEdges(standing)
    return [...superseded, ...ringing, ...coming]
  },
}

/**
 * The due date for which an invoice is overdue though nothing rang: learnt so, or known so. It stays where the date moves, until it
 * is cleared as one that rang is.
 */
function unheardOf({ after, before, memory, silent }: Turn, skipped: readonly string[]): string | null {
  const known = memory.calendar
  if (known?.overdueUnheard !== undefined) return known.overdueUnheard
  const was = before === null ? null : unheardIn(before, memory)
  if (was !== null) return was
  const dueDate = dueDateInForce(after, memory)
  const passes = dueDate !== null && skipped.includes(overdueKey(dueDate)) && isOpenInvoice(after)
  return passes && (silent || known === undefined) ? dueDate : null
}

/** The due date for which an invoice is overdue as it is remembered, though nothing rang; null: none. */
function unheardIn(invoice: JsonObject, memory: RecordMemory): string | null {
  const dueDate = dueDateInForce(invoice, memory)
  const isSkipped = dueDate !== null && memory.calendar?.skipped.includes(overdueKey(dueDate)) === true
  return isSkipped && isOpenInvoice(invoice) ? dueDate : null
}

/** Whether an invoice is overdue, be it that it rang or not. */
export function standsOverdue(invoice: JsonObject, memory: RecordMemory): boolean {
  const { overdue, overdueUnheard } = memory.calendar ?? {}
  return (overdue ?? overdueUnheard ?? unheardIn(invoice, memory)) !== null && invoiceKind(invoice) === 'invoice'
}

function overdueKey(dueDate: string): string {
  return `overdue/${dueDate}`
}

/** The edges of an invoice that have not had their turn: those to ring now, the passed ones that give way to them, and those to come. */
interface Pending {
  readonly ringing: readonly InvoiceEdge[]
  readonly superseded: readonly InvoiceEdge[]
  readonly coming: readonly InvoiceEdge[]
}

function pendingEdges({ record, memory, calendar }: Standing): Pending {
  if (!isOpenInvoice(record)) return { ringing: [], superseded: [], coming: [] }
  const edges = invoiceEdges(dueDateInForce(record, memory), calendar)
  const passed = edges.filter(({ at }) => at <= calendar.now)
  const left = withoutTurn(edges, memory)
  const coming = left.filter(({ at }) => at > calendar.now)
  const ringing = standing(passed).filter((edge) => left.includes(edge))
  if (ringing.length === 0) return { ringing, superseded: [], coming }
  return { ringing, superseded: passed.filter((edge) => !ringing.includes(edge) && left.includes(edge)), coming }
}

/**
 * Of all edges of an invoice those that have not had their turn, be it by a later one: after that no event says that the due
 * date comes nearer, though a clock that was set back passes the lead, or one that was configured since, again.
 */
function withoutTurn(edges: readonly InvoiceEdge[], memory: RecordMemory): readonly InvoiceEdge[] {
  const spent = edges.filter((edge) => isSpent(edge, memory) && !isCleared(edge, memory))
  const last = Math.max(...spent.map(({ at }) => at))
  return edges.filter((edge) => !spent.includes(edge) && (edge.rule !== 'due_soon' || edge.at >= last))
}

/** Whether an edge rang overdue and was taken back since: then it may ring again. */
function isCleared({ key, rule }: InvoiceEdge, { calendar, rung }: RecordMemory): boolean {
  const isOver = rule === 'overdue' && calendar?.overdue === undefined
  return isOver && rung?.includes(key) === true && calendar?.skipped.includes(key) !== true
}

/** The due dates that the calendar goes by, before a read and after it. */
function dueDatesOf({ before, after, memory }: Turn): {
  readonly before: string | null
  readonly after: string | null
} {
  const was = before === null ? (memory.calendar?.readableDueDate ?? null) : dueDateInForce(before, memory)
  return { before: was, after: unreadableDueDate(after) === null ? dueDateOf(after) : was }
}

/** The passed edges that still say something: the nearest lead, and none once the due day has begun. */
function standing(passed: readonly InvoiceEdge[]): readonly InvoiceEdge[] {
  const begun = passed.filter(({ rule }) => rule !== 'due_soon')
  return begun.length > 0 ? begun : passed.slice(-1)
}

/**
 * The passed edges that stay silent: at the baseline all of them; where the calendar starts anew for an invoice, all but
 * the latest; otherwise those known to, and those of leads that were configured only after they had passed.
 */
function skippedEdges(turn: Turn): readonly InvoiceEdge[] {
  const { before, after, memory, silent, calendar } = turn
  const dueDates = dueDatesOf(turn)
  const edges = invoiceEdges(dueDates.after, calendar)
  const passed = edges.filter(({ at }) => at <= calendar.now)
  const known = memory.calendar
  if (silent || (known === undefined && before !== null)) return passed
  const wasSkipped = ({ key }: InvoiceEdge): boolean => known?.skipped.includes(key) === true
  if (before === null) return passed.filter((edge, index) => index < passed.length - 1 || wasSkipped(edge))
  // The due date moved, or the invoice is open again after it was suspended or settled.
  const startsAnew = dueDates.before !== dueDates.after || (!isOpenInvoice(before) && isOpenInvoice(after))
  if (startsAnew) return passed.slice(0, -1)
  const isNew = (edge: InvoiceEdge): boolean =>
    edge.rule === 'due_soon' && known?.leadsMs?.includes(edge.leadMs) === false && edge.at <= calendar.now
  return edges.filter((edge) => wasSkipped(edge) || isNew(edge))
}

function alarm(edge: InvoiceEdge, calendar: CalendarSettings): Alarm {
  const { key, at, dueDate } = edge
  const today = dayOf(calendar.now, calendar.timeZone)
  const common = { due_date: dueDate, ...punctuality(at, calendar.now) }
  const about = { kind: 'rule', edge: [key] } as const
  const remember = (memory: RecordMemory): RecordMemory => rememberRung(memory, key)
  const ring = (rest: Pick<Finding, 'type' | 'extras'> & Partial<Finding>): Alarm => ({
    key,
    at,
    finding: { about, cause: 'calendar', remember, ...rest },
  })
  switch (edge.rule) {
    case 'due_soon': {
      const extras = { lead: formatLead(edge.leadMs), days_left: daysBetween(today, dueDate), ...common }
      return ring({ type: 'invoice.due_soon', extras })
    }
    case 'due':
      return ring({ type: 'invoice.due', extras: { reason: 'date', ...common } })
    case 'overdue':
      return ring({
        type: 'invoice.overdue',
        extras: { days_overdue: daysBetween(dueDate, today), ...common },
        remember: (memory) => withOverdue(remember(memory), dueDate),
      })
    default:
      return edge satisfies never
  }
}

function withOverdue(memory: RecordMemory, overdue: string): RecordMemory {
  const { overdueUnheard: _unheard, ...calendar } = { skipped: [], ...memory.calendar }
  return { ...memory, calendar: { ...calendar, overdue } }
}

/** An invoice that rang overdue is settled or became a credit note, or its due date vanished or moved to today or later. */
function clearOverdue(turn: Turn): ReturnType<CalendarRules['cross']> {
  const { after, calendar, at } = turn
  const memory: CalendarMemory = turn.memory.calendar ?? { skipped: [] }
  const { overdue: rang, overdueUnheard, ...cleared } = memory
  const dueDate = dueDateInForce(after, turn.memory)
  const overdue = rang ?? overdueUnheard
  if (overdue === undefined || !isOverdueNoMore(after, { overdue, dueDate, calendar })) return { memory, findings: [] }
  // Nobody heard that it was overdue.
  if (rang === undefined) return { memory: cleared, findings: [] }
  const finding: Finding = {
    type: 'invoice.overdue_cleared',
    about: { kind: 'rule', edge: [`overdue_cleared/${overdue}`] },
    cause: 'calendar',
    extras: { due_date: dueDate, at: formatInstant(at) },
  }
  return { memory: cleared, findings: [finding] }
}

interface Overdue {
  /** The due date that rang. */
  readonly overdue: string
  readonly dueDate: string | null
  readonly calendar: CalendarSettings
}

function isOverdueNoMore(invoice: JsonObject, { calendar: { timeZone, now }, dueDate, overdue }: Overdue): boolean {
  if (invoiceKind(invoice) === 'credit_note') return true
  if (field(invoice, 'type') !== 'invoice') return false
  const status = invoiceStanding(invoice)
  if (status === 'settled') return true
  if (status === 'suspended') return false
  return dueDate === null || (dueDate !== overdue && dueDate >= dayOf(now, timeZone))
}

const DAY_MS = 86_400_000

type InvoiceEdge = Edge & { readonly dueDate: string } & (
    | { readonly rule: 'due_soon'; readonly leadMs: number }
    | { readonly rule: 'due' }
    | { readonly rule: 'overdue' }
  )

/**
 * The edges of a due date, earliest first, whatever the invoice's status. Leads of whole days count calendar days back
 * from the due date, so that they too begin at local midnight; others are that much time before the due day begins.
 */
function invoiceEdges(dueDate: string | null, { timeZone, dueSoonMs }: CalendarSettings): readonly InvoiceEdge[] {
  if (dueDate === null) return []
  const dueAt = startOfDay(dueDate, timeZone)
  const soon = dueSoonMs
    .toSorted((left, right) => right - left)
    .map((leadMs): InvoiceEdge => {
      const at = leadMs % DAY_MS === 0 ? startOfDay(dueDate, timeZone, -leadMs / DAY_MS) : dueAt - leadMs
      return { rule: 'due_soon', key: `due_soon/${dueDate}/${formatLead(leadMs)}`, at, dueDate, leadMs }
    })
  return [
    ...soon.toSorted((left, right) => left.at - right.at),
    { rule: 'due', key: `due/${dueDate}/date`, at: dueAt, dueDate },
    { rule: 'overdue', key: overdueKey(dueDate), at: startOfDay(dueDate, timeZone, 1), dueDate },
  ]
}

/**
 * Whether a fetch by id confirms what the calendar is about to say of an invoice. It is asked nothing else: records are
 * compared from list rows only (guarantee D3), so a fetch that says otherwise is believed once the list says so.
 */
export function confirms(fetched: JsonObject, { memory, seen }: Pick<RecordState, 'memory' | 'seen'>): boolean {
  if (seen === null || !isOpenInvoice(fetched)) return false
  if (unreadableDueDate(fetched) !== null) return unreadableDueDate(seen) !== null
  return dueDateOf(fetched) === dueDateInForce(seen, memory)
}
