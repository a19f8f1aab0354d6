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
  /** In packs. */
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
  /** null: not delivered within the data. */
  readonly delivered: Arrival | null
  readonly lines: readonly DeliveryLine[]
}

/** The day the client received a shipment, and the day from which the platform shows it. */
export interface Arrival {
  readonly day: number
  readonly recordedDay: number
}
