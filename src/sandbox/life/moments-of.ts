import { MILESTONES } from '../../model/shipment.ts'
import type { Timeline } from './timeline.ts'
import type { Life } from './life.ts'

/** Every moment at which anything of a life looks different, in order; nothing changes between two of them. */
export function momentsOf(life: Life): readonly { readonly at: number }[] {
  const timelines: readonly Timeline<unknown>[] = [
    life.status,
    ...MILESTONES.map((milestone) => life.course.milestones[milestone]),
    life.booking,
    life.cargo.weightKg,
    life.cargo.containers,
    ...life.steps.flatMap(({ events }) => events.map(({ shown }) => shown)),
    life.positions,
    ...life.invoices.flatMap(({ status, dueDay, lines }) => [status, dueDay, lines]),
    life.instructions,
  ]
  const moments = new Set(timelines.flatMap((timeline) => timeline.map(({ at }) => at)))
  for (const at of [life.trackedFrom, life.requestedAt, life.acceptedAt, life.cancelledAt]) moments.add(at)
  return [...moments].sort((a, b) => a - b).map((at) => ({ at }))
}
