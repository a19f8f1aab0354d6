import type { Delivery, DeliveryLine } from './delivery.ts'

/** Everything under one PO / SO number: one purchase order, whose lines may come in several shipments. */
export interface Order {
  readonly number: string
  readonly lines: readonly OrderLine[]
}

export interface OrderLine {
  readonly line: DeliveryLine
  readonly delivery: Delivery
}

/** In the order in which the data first names them. */
export function ordersOf(deliveries: readonly Delivery[]): readonly Order[] {
  const lines = deliveries.flatMap((delivery) => delivery.lines.map((line) => ({ line, delivery })))
  return [...Map.groupBy(lines, ({ line }) => line.order)].flatMap(([number, own]) =>
    number === null ? [] : [{ number, lines: own }],
  )
}
