import { asText, elements, field, isJsonObject, type Json, type JsonObject } from './json.ts'
import { readDay } from './iso-time.ts'
import { parseInstant } from './instant.ts'
import { shipmentIdOf } from './shipment.ts'
import { dayOf, daysBetween } from './zoned-day.ts'

/** When an order is expected to be there: the date of the last one of its shipments. */
export interface ExpectedDelivery {
  /** The date as the platform sent it. */
  readonly date: string
  readonly status: string | null
  /** Which date of the shipment it is: the arrival stands in where there is no delivery date. */
  readonly basis: 'delivery' | 'arrival'
  readonly shipmentId: string
}

/** What is derived of an order and the shipments that its lines are assigned to, as events have told it. */
export interface OrderFate {
  /** The expected delivery; null: none of its shipments has a date. */
  readonly expected: ExpectedDelivery | null
  /** Shipments of the order without a date, by id. */
  readonly unknown: readonly string[]
  /** All shipments that the order's lines name, by id. */
  readonly assigned: readonly string[]
  /** The assigned shipments that do not count, because they are cancelled or gone. */
  readonly uncounted: readonly string[]
  /** Whether the expected day is after the desired one. */
  readonly atRisk: boolean
  readonly fullyAssigned: boolean
  readonly delivered: boolean
}

/** An order line, as far as its fate goes. */
export interface OrderLine {
  /** How much was ordered; null: not said. */
  readonly ordered: number | null
  readonly assignments: readonly OrderAssignment[]
}

interface OrderAssignment {
  /** The shipment; null: the platform names none. */
  readonly shipmentId: string | null
  readonly quantity: number
}

export function orderLines(order: JsonObject): readonly OrderLine[] {
  return elements(field(order, 'purchase_order_lines')).map((line) => ({
    ordered: quantityOf(field(line, 'ordered_quantity')),
    assignments: elements(field(line, 'assigned_order_lines')).map((assigned) => ({
      shipmentId: isJsonObject(assigned) ? shipmentIdOf(assigned, null) : null,
      quantity: quantityOf(field(assigned, 'assigned_quantity')) ?? 0,
    })),
  }))
}

/** The ids of all shipments that lines are assigned to, each once, in the order of the lines. */
export function namedShipments(lines: readonly OrderLine[]): readonly string[] {
  return [...new Set(lines.flatMap(({ assignments }) => assignments.flatMap(({ shipmentId }) => shipmentId ?? [])))]
}

/** The ids of all shipments that lines are assigned to, each once, sorted. */
export function assignedShipments(lines: readonly OrderLine[]): readonly string[] {
  return namedShipments(lines).toSorted()
}

/** How much of a line is assigned to shipments that count. */
export function assignedQuantity({ assignments }: OrderLine, uncounted: readonly string[]): number {
  const counted = assignments.filter(({ shipmentId }) => shipmentId === null || !uncounted.includes(shipmentId))
  return counted.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** Sums of fractions miss by a little. */
export function isEnough(assigned: number, ordered: number): boolean {
  return assigned >= ordered - Math.abs(ordered) * 1e-9
}

/** The day that the order is wanted on; null: none is given, or none that can be read. */
export function desiredDay(order: JsonObject): string | null {
  return readDay(field(order, 'desired_delivery_date'))
}

/** Calendar days from the expected delivery to the desired one; null where either is not known. */
export function slackDays(expected: ExpectedDelivery | null, desired: string | null, timeZone: string): number | null {
  const instant = expected === null ? null : parseInstant(expected.date)
  return instant === null || desired === null ? null : daysBetween(dayOf(instant, timeZone), desired)
}

export function expectedJson(expected: ExpectedDelivery | null): JsonObject | null {
  if (expected === null) return null
  const { basis, date, shipmentId, status } = expected
  return { date, status, basis, shipment_id: shipmentId }
}

/**
 * `data.order_status`: the order as it is, and its shipments as they were looked at last. Before the first look nothing is known of
 * them (`fate` undefined).
 */
export function orderStatus(order: JsonObject, fate: OrderFate | undefined, timeZone: string): JsonObject {
  const lines = orderLines(order)
  const expected = fate?.expected ?? null
  const desired = desiredDay(order)
  return {
    expected: expectedJson(expected),
    unknown: fate?.unknown ?? assignedShipments(lines),
    desired_delivery_date: desired,
    slack_days: slackDays(expected, desired, timeZone),
    assigned_share: assignedShare(lines, fate?.uncounted ?? []),
  }
}

/** From 0 to 1; what a line has too much fills no other. null: no line says how much was ordered. */
function assignedShare(lines: readonly OrderLine[], uncounted: readonly string[]): number | null {
  let [assigned, ordered] = [0, 0]
  for (const line of lines) {
    if (line.ordered === null || line.ordered <= 0) continue
    ordered += line.ordered
    const quantity = assignedQuantity(line, uncounted)
    assigned += isEnough(quantity, line.ordered) ? line.ordered : Math.max(quantity, 0)
  }
  return ordered === 0 ? null : assigned / ordered
}

/** A number, also where it is sent as a text; null: it is none. */
function quantityOf(value: Json | undefined): number | null {
  const text = asText(value)?.trim() ?? ''
  const number = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}
