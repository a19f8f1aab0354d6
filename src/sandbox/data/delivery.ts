/** One line of the data: so much of one item, ordered under one PO / SO number and delivered under one ASN/DN number. Days count from the Unix epoch. */
export interface DeliveryLine {
  /** ASN/DN number. */
  readonly shipment: string
  /** PO / SO number. */
  readonly order: string | null
  readonly freightMode: string | null
  readonly incoterm: string | null
  readonly scheduledDay: number | null
  readonly deliveredDay: number | null
  readonly recordedDay: number | null
  readonly item: OrderedItem
}

export interface OrderedItem {
  readonly reference: string | null
  readonly name: string | null
  readonly description: string | null
  readonly supplier: string | null
  /** The quantity, in packs. */
  readonly quantity: number | null
  /** US dollars of one pack. */
  readonly packPrice: number | null
}

/** Everything under one ASN/DN number: one shipment. */
export interface Delivery {
  readonly id: string
  readonly freightMode: string | null
  readonly incoterm: string | null
  readonly orders: readonly string[]
  /** The earliest day that any of its lines was scheduled for. */
  readonly scheduledDay: number | null
  /** The delivery; null: there is none within the data. */
  readonly delivered: Arrival | null
  readonly lines: readonly DeliveryLine[]
}

/** The day the client received a shipment, and the day from which the platform shows it. */
interface Arrival {
  readonly day: number
  readonly recordedDay: number
}

/** One delivery per ASN/DN number, in the order in which the data first names them. */
export function collectDeliveries(lines: readonly DeliveryLine[]): readonly Delivery[] {
  return [...Map.groupBy(lines, ({ shipment }) => shipment)].map(([id, own]) => ({
    id,
    freightMode: firstKnown(own.map(({ freightMode }) => freightMode)),
    incoterm: firstKnown(own.map(({ incoterm }) => incoterm)),
    orders: [...new Set(known(own.map(({ order }) => order)))],
    scheduledDay: earliest(own.map(({ scheduledDay }) => scheduledDay)),
    delivered: arrivalOf(own),
    lines: own,
  }))
}

/** A shipment is delivered with the last of its lines; while one of them is not, it is not. */
function arrivalOf(lines: readonly DeliveryLine[]): Arrival | null {
  return lines.map(lineArrival).reduce((latest, next) =>
    latest === null || next === null
      ? null
      : {
          day: Math.max(latest.day, next.day),
          recordedDay: Math.max(latest.recordedDay, next.recordedDay),
        },
  )
}

function lineArrival({ deliveredDay, recordedDay }: DeliveryLine): Arrival | null {
  return deliveredDay === null || recordedDay === null ? null : { day: deliveredDay, recordedDay }
}

function known<T>(values: readonly (T | null)[]): readonly T[] {
  return values.filter((value) => value !== null)
}

function firstKnown<T>(values: readonly (T | null)[]): T | null {
  return known(values)[0] ?? null
}

/** The first of the days that are known; null where none is. */
export function earliest(days: readonly (number | null)[]): number | null {
  return days.reduce<number | null>(
    (first, day) => (first === null || day === null ? (first ?? day) : Math.min(first, day)),
    null,
  )
}

/** Everything under one PO / SO number: one purchase order, whose lines may come in several shipments. */
export interface Order {
  readonly number: string
  readonly lines: readonly OrderLine[]
}

export interface OrderLine {
  readonly line: DeliveryLine
  readonly delivery: Delivery
}

/** The orders of deliveries, in the order in which the data first names them. */
export function ordersOf(deliveries: readonly Delivery[]): readonly Order[] {
  const lines = deliveries.flatMap((delivery) => delivery.lines.map((line) => ({ line, delivery })))
  return [...Map.groupBy(lines, ({ line }) => line.order)].flatMap(([number, own]) =>
    number === null ? [] : [{ number, lines: own }],
  )
}
