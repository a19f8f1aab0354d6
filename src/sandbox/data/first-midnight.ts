import { ShipbellError } from '../../errors.ts'
import type { Delivery } from './delivery.ts'
import { earliest } from './earliest.ts'

const DAY = 86_400_000

/** The first midnight (UTC) of the data, before anything of it happens. Throws `usage` for data without a date. */
export function firstMidnight(deliveries: readonly Delivery[]): number {
  const first = earliest(
    deliveries.flatMap(({ scheduledDay, delivered }) => [
      scheduledDay,
      delivered?.day ?? null,
      delivered?.recordedDay ?? null,
    ]),
  )
  if (first !== null) return first * DAY
  throw new ShipbellError(
    'usage',
    '--data names a file without any delivery that has a date; there is nothing to replay.',
  )
}
