import type { Hub } from '../catalogue/hubs.ts'
import type { Site } from '../catalogue/sites.ts'
import type { Milestone } from '../../model/shipment.ts'
import type { Random } from '../random.ts'
import { timelineOf, valueAt, type Entry, type Timeline } from './timeline.ts'
import type { Brief } from './brief.ts'
import type { Course } from './chart-course.ts'
import { HOUR, PACES, toGrain } from './pace.ts'
import { stepPlans, type EventPlan } from './step-plans.ts'

/** A tracking step: a place, and what happens there. A hub or a site, never both. */
export interface Step {
  readonly type: string
  readonly hub: Hub | null
  readonly site: Site | null
  readonly events: readonly StepEvent[]
}

export interface StepEvent {
  readonly description: string
  readonly container: string | null
  /** The event on the record; null: it is not there (not yet, or taken back). */
  readonly shown: Timeline<ShownEvent | null>
}

interface ShownEvent {
  readonly instant: number
  readonly status: 'planned' | 'estimated' | 'actual'
}

export interface StepsInput {
  readonly random: Random
  readonly brief: Brief
  readonly course: Course
  /** When the platform begins to track. */
  readonly trackedFrom: number
  /** The container numbers that travel full; groupage is followed as one. */
  readonly containers: readonly string[]
}

/** The steps of a shipment's way; their dates follow the milestones they lie between. */
export function followSteps(input: StepsInput): readonly Step[] {
  return stepPlans(input.brief).map(({ type, hub, site, events }) => ({
    type,
    hub,
    site,
    events: events.flatMap((plan) => {
      const containers = plan.perContainer && input.containers.length > 0 ? input.containers : [null]
      return containers.map((container) => ({ description: plan.description, container, shown: show(plan, input) }))
    }),
  }))
}

function show(plan: EventPlan, input: StepsInput): Timeline<ShownEvent | null> {
  const entries = 'milestone' in plan.at ? asMilestone(plan.at.milestone, input) : between(plan, plan.at, input)
  return timelineOf(entries, (a, b) => a?.instant === b?.instant && a?.status === b?.status)
}

/** The event that is a milestone shows what the shipment's main date shows; a problem is an estimate here. */
function asMilestone(milestone: Milestone, input: StepsInput): readonly Entry<ShownEvent | null>[] {
  return input.course.milestones[milestone].map(({ at, value: { instant, status } }) => ({
    at: Math.max(at, input.trackedFrom),
    value: { instant, status: status === 'problem' ? 'estimated' : status },
  }))
}

/** An event on the way: foreseen ones show an estimate that moves with the milestones around it; all turn actual. */
function between(
  plan: EventPlan,
  place: { readonly after: Milestone; readonly part: number },
  input: StepsInput,
): readonly Entry<ShownEvent | null>[] {
  const { random, course, brief } = input
  const before = NEXT[place.after]
  const pace = PACES[brief.lane.mode]
  const part = place.part + random.between(-0.03, 0.03)
  const start = course.facts[place.after]
  const end = course.facts[before]
  const instant = toGrain(start.instant + (end.instant - start.instant) * part, 1)
  const reportedAt = Math.max(instant + random.between(...pace.lag) * HOUR, start.reportedAt)
  const entries: Entry<ShownEvent | null>[] = plan.foreseen
    ? foresee(input, { ...place, before, until: reportedAt })
    : []
  entries.push({ at: reportedAt, value: { instant, status: 'actual' } })
  if (random.chance(0.05)) {
    const corrected = toGrain(instant - random.between(0.05, 0.3) * pace.gap * HOUR, 1)
    entries.push({ at: reportedAt + random.between(2, 12) * HOUR, value: { instant: corrected, status: 'actual' } })
  } else if (random.chance(0.03)) {
    const takenBackAt = reportedAt + random.between(1, 5) * HOUR
    entries.push(
      { at: takenBackAt, value: null },
      { at: takenBackAt + random.between(4, 20) * HOUR, value: { instant, status: 'actual' } },
    )
  }
  return entries
}

const NEXT: Readonly<Record<Milestone, Milestone>> = {
  pickup: 'departure',
  departure: 'arrival',
  arrival: 'delivery',
  delivery: 'delivery',
}

function foresee(
  input: StepsInput,
  span: { readonly after: Milestone; readonly before: Milestone; readonly part: number; readonly until: number },
): Entry<ShownEvent | null>[] {
  const { milestones } = input.course
  const { grain } = PACES[input.brief.lane.mode]
  const moments = [...milestones[span.after], ...milestones[span.before]].map(({ at }) => at)
  return moments
    .filter((at) => at < span.until)
    .flatMap((moment) => {
      const at = Math.max(moment, input.trackedFrom)
      const from = valueAt(milestones[span.after], at)
      const to = valueAt(milestones[span.before], at)
      if (from === undefined || to === undefined) return []
      const instant = toGrain(from.instant + (to.instant - from.instant) * span.part, grain)
      return [
        { at, value: { instant, status: to.status === 'planned' ? ('planned' as const) : ('estimated' as const) } },
      ]
    })
}
