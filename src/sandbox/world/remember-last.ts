import type { JsonObject } from '../../model/json.ts'
import { MILESTONES } from '../../model/shipment.ts'
import type { Life } from '../life/life.ts'
import { countBy, type Timeline } from '../life/timeline.ts'

/** Renders a life again only when something of it has changed, or of what it shows of others, since the last time it was asked for. */
export function rememberLast(
  render: (life: Life, time: number) => JsonObject,
  ofOthers: (life: Life) => readonly { readonly at: number }[] = () => [],
): (life: Life, time: number) => JsonObject {
  const known = new WeakMap<
    Life,
    { readonly moments: readonly { readonly at: number }[]; count: number; record: JsonObject | null }
  >()
  return (life, time) => {
    let last = known.get(life)
    if (last === undefined) {
      last = { moments: momentsOf(life, ofOthers(life)), count: 0, record: null }
      known.set(life, last)
    }
    const count = countBy(last.moments, time)
    if (last.record === null || last.count !== count) {
      last.record = render(life, time)
      last.count = count
    }
    return last.record
  }
}

/** Every moment at which anything of a life looks different, in order; nothing changes between two of them. */
function momentsOf(life: Life, others: readonly { readonly at: number }[]): readonly { readonly at: number }[] {
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
  const moments = new Set([...timelines, others].flatMap((timeline) => timeline.map(({ at }) => at)))
  for (const at of [life.trackedFrom, life.requestedAt, life.acceptedAt, life.cancelledAt]) moments.add(at)
  return [...moments].sort((a, b) => a - b).map((at) => ({ at }))
}
