import type { Read } from './record-state.ts'

/** When the answer to a read had arrived, however old it was by then. */
export function arrivalOf({ answeredAt, arrivedAt = answeredAt }: Read): number {
  return arrivedAt
}
