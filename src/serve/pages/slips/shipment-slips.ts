import type { Slip } from '../../../store/ports/record-query-port.ts'

/** The dates of one shipment that stand on a page. */
export interface ShipmentSlips {
  readonly largest: Slip
  readonly others: readonly Slip[]
}

/** A shipment once, where its largest drift stands. */
export function byShipment(slips: readonly Slip[]): readonly ShipmentSlips[] {
  const groups = Map.groupBy(slips, ({ account, shipment }) => JSON.stringify([account, shipment]))
  return [...groups.values()].flatMap(([largest, ...others]) => (largest === undefined ? [] : [{ largest, others }]))
}

/** When the last slip of a shipment moved. */
export function movedAtOf({ largest, others }: ShipmentSlips): number {
  return Math.max(...[largest, ...others].map(({ movedAt }) => movedAt))
}
