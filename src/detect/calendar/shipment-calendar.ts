import { formatInstant } from '../../model/instant.ts'
import { readDay } from '../../model/iso-time.ts'
import { field, type JsonObject } from '../../model/json.ts'
import type { CalendarMemory, RecordMemory } from '../../model/record-state.ts'
import { MILESTONES, trackingInstant, trackingStatus, type Milestone } from '../../model/shipment.ts'
import { dayOf, daysBetween, isAfterDay } from '../../model/zoned-day.ts'
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

const HOUR_MS = 3_600_000

/** `shipment.milestone_overdue`, `shipment.delivery_at_risk`, `shipment.delivery_back_on_track` (guarantee E7). */
export const shipmentCalendar: CalendarRules = {
  arm: ({ before, after, memory, silent, calendar }) => {
    const known = memory.calendar
    const learnsSilently = silent || (known === undefined && before !== null)
    if (!learnsSilently && (known?.skipped ?? []).length === 0) return known ?? { skipped: [] }
    const skipped = milestoneEdges(after, calendar.milestoneGraceMs).filter(({ key, at }) =>
      learnsSilently ? at <= calendar.now : known?.skipped.includes(key) === true,
    )
    return { ...known, skipped: skipped.map(({ key }) => key) }
  },
  cross: crossDesiredDate,
  due: (standing) => {
    const { calendar } = standing
    const passed = expectedEdges(standing).filter(({ at }) => at <= calendar.now)
    const alarms = passed.toSorted((left, right) => left.at - right.at).map((edge) => alarm(edge, calendar))
    return { alarms, superseded: [] }
  },
  pending: expectedEdges,
}

/**
 * Edges that count as the shipment stands, and have not had their turn. A date that waits to be reported (guarantee K6,
 * `settle`) is neither overdue nor not until then.
 */
function expectedEdges({ record, memory, calendar }: Standing): readonly MilestoneEdge[] {
  return edgesAhead(record, calendar.milestoneGraceMs).filter((edge) => !isSpent(edge, memory) && !waits(edge, memory))
}

function edgesAhead(record: JsonObject, graceMs: number): readonly MilestoneEdge[] {
  if (!isUnderWay(record)) return []
  const edges = milestoneEdges(record, graceMs)
  if (edges.length === 0) return edges
  const last = MILESTONES.findLastIndex((each) => trackingStatus(record, each) === 'actual')
  // A later milestone is actual: the shipment has passed those before it, whatever their dates say.
  return edges.filter(({ milestone }) => MILESTONES.indexOf(milestone) > last)
}

/** The milestones of a shipment that are overdue, be it that they rang or not. */
export function overdueMilestones(record: JsonObject, memory: RecordMemory): readonly Milestone[] {
  return edgesAhead(record, 0)
    .filter((edge) => isSpent(edge, memory))
    .map(({ milestone }) => milestone)
}

function waits({ milestone }: MilestoneEdge, { settling }: RecordMemory): boolean {
  return settling !== undefined && Object.hasOwn(settling.estimates, `${milestone}_date`)
}

function alarm({ key, at, milestone, date }: MilestoneEdge, { now }: CalendarSettings): Alarm {
  const extras = {
    milestone,
    hours_late: Math.floor((now - date) / HOUR_MS),
    date: formatInstant(date),
    ...punctuality(at, now),
  }
  return {
    key,
    at,
    finding: {
      type: 'shipment.milestone_overdue',
      about: { kind: 'rule', edge: [key] },
      cause: 'calendar',
      extras,
      remember: (memory) => rememberRung(memory, key),
    },
  }
}

/** An edge of a milestone. It makes its key when it is asked for, which hardly ever happens. */
class MilestoneEdge implements Edge {
  readonly milestone: Milestone
  /** The planned or estimated date. */
  readonly date: number
  readonly at: number

  constructor(milestone: Milestone, date: number, at: number) {
    this.milestone = milestone
    this.date = date
    this.at = at
  }

  get key(): string {
    return `milestone_overdue/${this.milestone}/${formatInstant(this.date)}`
  }
}

/** Whether a shipment is expected to move as planned. */
function isUnderWay(shipment: JsonObject): boolean {
  const status = field(shipment, 'status')
  return status === 'booked' || status === 'in_progress'
}

/** An edge for every planned or estimated date, in the order of milestones, whatever the shipment's status. */
function milestoneEdges(shipment: JsonObject, graceMs: number): readonly MilestoneEdge[] {
  const edges: MilestoneEdge[] = []
  for (const milestone of MILESTONES) {
    const date = trackingInstant(shipment, milestone)
    if (date === null) continue
    const status = trackingStatus(shipment, milestone)
    if (status === 'planned' || status === 'estimated') edges.push(new MilestoneEdge(milestone, date, date + graceMs))
  }
  return edges
}

/**
 * The delivery estimate crosses the desired date, and back, until delivery is actual; days are the account's. Where one of
 * the two dates is missing, nothing is crossed and what was known stands. An estimate that waits has not crossed anything.
 */
function crossDesiredDate(turn: Turn): ReturnType<CalendarRules['cross']> {
  const memory: CalendarMemory = turn.memory.calendar ?? { skipped: [] }
  const { timeZone } = turn.calendar
  const days = daysOf(turn)
  if (days === null) return { memory, findings: [] }
  const atRisk = isAfterDay(days.delivery, days.desired, timeZone)
  if (atRisk === (memory.atRisk === true)) return { memory, findings: [] }
  const type = atRisk ? 'shipment.delivery_at_risk' : 'shipment.delivery_back_on_track'
  const extras = { slack_days: daysBetween(dayOf(days.delivery, timeZone), days.desired), at: formatInstant(turn.at) }
  const finding = { type, about: { kind: 'rule', edge: [type] }, cause: 'calendar', extras } as const
  return { memory: { ...memory, atRisk }, findings: [finding] }
}

/** The instant of the estimate, and the desired date; null where one is missing or delivery is actual. */
function daysOf({ reported }: Turn): { readonly delivery: number; readonly desired: string } | null {
  const desired = readDay(field(reported, 'desired_delivery_date'))
  if (desired === null) return null
  const delivery = trackingInstant(reported, 'delivery')
  return delivery === null || trackingStatus(reported, 'delivery') === 'actual' ? null : { delivery, desired }
}
