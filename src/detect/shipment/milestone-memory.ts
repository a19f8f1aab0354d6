import { textField, type JsonObject } from '../../model/json.ts'
import type { MilestoneMemory, RecordMemory } from '../../model/record-state.ts'
import { MILESTONES, trackingDate, trackingInstant, trackingStatus, type Milestone } from '../../model/shipment.ts'
import type { Comparison } from '../comparison.ts'

/**
 * The first date and every distinct instant of each milestone. An actual that is new here belongs to no event until the
 * event that reported it is known: learnt silently, it stays so.
 */
export function learnMilestones({ before, after, at, memory }: Omit<Comparison, 'learnt'>): RecordMemory {
  const remembered = memory.milestones ?? {}
  let milestones = remembered
  for (const milestone of MILESTONES) {
    const known = remembered[milestone]
    let learnt = learnMilestone(known, trackingDate(after, milestone), at)
    if (learnt === undefined) continue
    if (isNewActual(before, after, milestone)) learnt = { ...learnt, actualEventId: null }
    if (learnt !== known) milestones = { ...milestones, [milestone]: learnt }
  }
  return milestones === remembered ? memory : { ...memory, milestones }
}

/** The event that reported a milestone's actual. */
export function rememberActual(memory: RecordMemory, milestone: Milestone, eventId: string): RecordMemory {
  const known = memory.milestones?.[milestone]
  if (known === undefined) return memory
  return { ...memory, milestones: { ...memory.milestones, [milestone]: { ...known, actualEventId: eventId } } }
}

/** An event about a whole shipment reports all of its actuals. */
export function rememberActuals(memory: RecordMemory, shipment: JsonObject, eventId: string): RecordMemory {
  return MILESTONES.filter((milestone) => trackingStatus(shipment, milestone) === 'actual').reduce(
    (known, milestone) => rememberActual(known, milestone, eventId),
    memory,
  )
}

/** The actuals of a shipment that an event about the whole record reports for the first time. */
export function rememberNewActuals(
  memory: RecordMemory,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
  eventId: string,
): RecordMemory {
  return MILESTONES.filter((milestone) => isNewActual(before, after, milestone)).reduce(
    (known, milestone) => rememberActual(known, milestone, eventId),
    memory,
  )
}

function learnMilestone(
  known: MilestoneMemory | undefined,
  entry: ReturnType<typeof trackingDate>,
  at: number,
): MilestoneMemory | undefined {
  if (entry === null || entry.instant === null) return known
  const { instant, raw } = entry
  if (known === undefined) {
    return { first: { date: textField(raw, 'date') ?? '', seenAt: at }, instants: [instant], actualEventId: null }
  }
  return known.instants.includes(instant) ? known : { ...known, instants: [...known.instants, instant] }
}

function isNewActual(before: JsonObject, after: JsonObject, milestone: Milestone): boolean {
  if (trackingStatus(after, milestone) !== 'actual') return false
  if (trackingStatus(before, milestone) !== 'actual') return true
  return trackingInstant(before, milestone) !== trackingInstant(after, milestone)
}
