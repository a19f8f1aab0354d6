import { formatInstant } from '../../model/instant.ts'
import type { RecordMemory } from '../../model/record-state.ts'
import { isSpent, rememberRung, type Alarm, type CalendarRules, type Standing } from './calendar-rules.ts'
import type { CalendarSettings } from './calendar-settings.ts'
import { crossDesiredDate } from './delivery-risk.ts'
import { isOvertaken, isUnderWay, milestoneEdges, type MilestoneEdge } from './milestone-edges.ts'
import { punctuality } from './punctuality.ts'

const HOUR_MS = 3_600_000

/** `shipment.milestone_overdue`, `shipment.delivery_at_risk`, `shipment.delivery_back_on_track` (contract section 4). */
export const shipmentCalendar: CalendarRules = {
  arm: ({ before, after, memory, silent, calendar }) => {
    const known = memory.calendar
    const learnsSilently = silent || (known === undefined && before !== null)
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
  coming: (standing) => expectedEdges(standing).filter(({ at }) => at > standing.calendar.now),
}

/**
 * Edges that count as the shipment stands, and have not had their turn. A date that waits to be told (contract section 2,
 * `settle`) is neither overdue nor not until then.
 */
function expectedEdges({ record, memory, calendar }: Standing): readonly MilestoneEdge[] {
  if (!isUnderWay(record)) return []
  return milestoneEdges(record, calendar.milestoneGraceMs).filter(
    (edge) => !isSpent(edge, memory) && !isOvertaken(record, edge.milestone) && !waits(edge, memory),
  )
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
