import type { EventDraft } from '../model/event.ts'
import type { ExceptionNews, SilentClosing, SilentOpening } from '../model/exception.ts'
import type { RecordState } from '../model/record-state.ts'
import { isClosed, MILESTONES, trackingStatus } from '../model/shipment.ts'
import { standsOverdue } from './calendar/invoice-calendar.ts'
import { overdueMilestones } from './calendar/shipment-calendar.ts'

/** What is not well with a record as it is known, whether or not an event said so. A shipment whose end has come is well. */
export function standingOf(state: RecordState, at: number): readonly SilentOpening[] {
  const { memory, removedAt, reported, resource, seen } = state
  if (removedAt !== null || seen === null || reported === null) return []
  const subject = { resource, id: state.id }
  if (resource === 'invoice') return standsOverdue(seen, memory) ? [{ type: 'invoice.overdue', subject, at }] : []
  if (resource !== 'shipment' || isClosed(reported)) return []
  const problems = MILESTONES.filter((milestone) => trackingStatus(reported, milestone) === 'problem')
  const isAtRisk = memory.calendar?.atRisk === true && trackingStatus(reported, 'delivery') !== 'actual'
  return [
    ...problems.map((milestone) => ({ type: 'shipment.problem_reported' as const, subject, milestone, at })),
    ...overdueMilestones(seen, memory).map((milestone) => ({
      type: 'shipment.milestone_overdue' as const,
      subject,
      milestone,
      at,
    })),
    ...(isAtRisk ? [{ type: 'shipment.delivery_at_risk' as const, subject, at }] : []),
  ]
}

interface Step {
  /** The record as it was known; null: it was not. */
  readonly before: RecordState | null
  readonly after: RecordState
  readonly mode: 'ring' | 'silent'
  readonly events: readonly EventDraft[]
  readonly at: number
}

/** Why an exception closes where neither an event nor the end of the record says so. */
const CLEARED = 'cleared'

/** What a read does to exceptions of its record beside what its events say; undefined: nothing. */
export function silentNews(step: Step): ExceptionNews | undefined {
  const { after, at, before, mode } = step
  if (after.resource !== 'shipment' && after.resource !== 'invoice') return undefined
  const isThere = before !== null && before.removedAt === null && before.reported !== null
  const comesBack = !isThere || (before.closedAt !== null && after.closedAt === null)
  const isTakenBack = isThere && takesBack(before, after)
  const opens = mode === 'silent' || comesBack || isTakenBack ? standingOf(after, at) : []
  const closes = isThere ? closedInSilence({ ...step, before }) : []
  return opens.length === 0 && closes.length === 0 ? undefined : { opens, closes }
}

/** Whether a milestone was not reached after all, which had closed exceptions: be it corrected, or a problem now. */
function takesBack({ reported: before }: RecordState, { reported: after }: RecordState): boolean {
  if (before === null || after === null) return false
  return MILESTONES.some(
    (milestone) => trackingStatus(before, milestone) === 'actual' && trackingStatus(after, milestone) !== 'actual',
  )
}

/**
 * What stood and stands no more though no event closes it: all that is learnt in silence, and invoices that were overdue unheard, of
 * which nothing rings that they are so no longer.
 */
function closedInSilence({
  after,
  at,
  before,
  events,
  mode,
}: Step & { readonly before: RecordState }): readonly SilentClosing[] {
  const isUnheard = before.resource === 'invoice' && before.memory.calendar?.overdue === undefined
  if (mode !== 'silent' && !isUnheard) return []
  const stood = standingOf(before, at)
  if (stood.length === 0) return []
  const stands = new Set(standingOf(after, at).map(nameOf))
  const by = events.at(-1)?.id ?? CLEARED
  return stood
    .filter((each) => !stands.has(nameOf(each)))
    .map(({ milestone, subject: { id: subjectId, resource }, type }) => ({
      type,
      resource,
      subjectId,
      ...(milestone !== undefined && { milestone }),
      by,
      at,
    }))
}

function nameOf({ milestone, type }: SilentOpening): string {
  return `${type} ${milestone ?? ''}`
}

/** All that is open of a record closes with it, also where its end rings nothing. */
export function removedNews({ id, resource }: RecordState, at: number): ExceptionNews {
  return { closes: [{ resource, subjectId: id, by: 'removed', at }] }
}
