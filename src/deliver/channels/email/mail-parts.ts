import type { ClaimedDelivery } from '../../../store/ports/delivery-port.ts'
import type { Batch } from '../../batches.ts'
import { standingOf, type Standing } from './mail-progress.ts'

interface SameStanding {
  readonly deliveries: Batch
  readonly standing: Standing
}

/** Deliveries that go to the same recipients, together. */
export function byStanding(batch: Batch, to: readonly string[]): readonly SameStanding[] {
  const groups = Map.groupBy(batch, ({ attempts, progress = null }) =>
    progress === null ? '' : `${attempts > 0} ${progress}`,
  )
  return [...groups.values()].flatMap((deliveries) =>
    batchesOf(deliveries).map((each) => ({ deliveries: each, standing: standingOf(to, each[0]) })),
  )
}

/** The two halves of a batch; none of a single delivery. */
export function halvesOf(batch: Batch): readonly Batch[] {
  if (batch.length < 2) return []
  const middle = Math.ceil(batch.length / 2)
  return [...batchesOf(batch.slice(0, middle)), ...batchesOf(batch.slice(middle))]
}

function batchesOf([first, ...rest]: readonly ClaimedDelivery[]): readonly Batch[] {
  return first === undefined ? [] : [[first, ...rest]]
}
