import type { Json, JsonObject } from '../../src/model/json.ts'

/*
 * What an order is at, by plain loops over what the platform shows. It shares no code with what it judges: dates are those of
 * `Date`, days those of `Intl`.
 */

/** A shipment as it is; `gone`: it was there and is not any more; undefined: nobody ever saw it. */
export type SeenShipment = JsonObject | 'gone' | undefined

export interface OrderTruth {
  /** The last date of all, and its status; null: there is none. */
  readonly due: { readonly at: number; readonly status: string | null } | null
  /** Whether that day is after the desired one; null: one of them is not known. */
  readonly isLate: boolean | null
  readonly isFull: boolean
  readonly isDelivered: boolean
}

export interface Told extends Omit<OrderTruth, 'isLate'> {
  readonly isAtRisk: boolean
}

export const NOTHING_TOLD: Told = { due: null, isAtRisk: false, isFull: false, isDelivered: false }

export function orderTruth(order: JsonObject, shipmentOf: (id: string) => SeenShipment, timeZone = 'UTC'): OrderTruth {
  const counted = new Map<string, JsonObject | undefined>()
  let isFull = true
  const lines = list(order, 'purchase_order_lines')
  for (const line of lines) {
    let assigned = 0
    for (const each of list(line, 'assigned_order_lines')) {
      const id = text(each, 'platform_shipment_id')
      const shipment = shipmentOf(id)
      if (shipment === 'gone' || (shipment !== undefined && shipment['status'] === 'cancelled')) continue
      counted.set(id, shipment)
      assigned += Number(part(each, 'assigned_quantity') ?? 0)
    }
    const ordered = part(line, 'ordered_quantity')
    if (ordered === null || ordered === undefined || assigned < Number(ordered)) isFull = false
  }
  if (lines.length === 0) isFull = false
  const byId = [...counted].sort(([left], [right]) => (left < right ? -1 : 1))
  const due = dueOf(byId.map(([, shipment]) => shipment))
  const isDelivered = isFull && counted.size > 0 && [...counted.values()].every((each) => statusOf(each) === 'actual')
  const desired = part(order, 'desired_delivery_date')
  const isLate = due === null || typeof desired !== 'string' ? null : dayIn(due.at, timeZone) > desired
  return { due, isLate, isFull, isDelivered }
}

/** What is told of an order that comes to be so, by what was told before, and the types that tell it. */
export function tell(before: Told, { due, isDelivered, isFull, isLate }: OrderTruth) {
  const types: string[] = []
  if (before.due?.at !== due?.at || before.due?.status !== due?.status) types.push('eta_changed')
  if (isFull && !before.isFull) types.push('fully_assigned')
  const isAtRisk = isDelivered || isLate === null ? before.isAtRisk : isLate
  if (isAtRisk !== before.isAtRisk) types.push(isAtRisk ? 'delivery_at_risk' : 'delivery_back_on_track')
  if (isDelivered && !before.isDelivered) types.push('delivered')
  return { told: { due, isAtRisk, isFull, isDelivered }, types }
}

function dueOf(shipments: readonly (JsonObject | undefined)[]): OrderTruth['due'] {
  let due: OrderTruth['due'] = null
  for (const shipment of shipments) {
    const dates = part(shipment, 'main_tracking_dates')
    const entries = [part(dates, 'delivery_date'), part(dates, 'arrival_date')]
    const entry = entries.find((each) => typeof part(each, 'date') === 'string')
    if (entry === undefined) continue
    const at = Date.parse(text(entry, 'date'))
    const status = part(entry, 'status')
    if (due === null || at > due.at) due = { at, status: typeof status === 'string' ? status : null }
  }
  return due
}

function statusOf(shipment: JsonObject | undefined): Json | undefined {
  return part(part(part(shipment, 'main_tracking_dates'), 'delivery_date'), 'status')
}

function dayIn(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)
}

function part(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

function text(value: Json | undefined, name: string): string {
  const found = part(value, name)
  return typeof found === 'string' ? found : ''
}

function list(value: Json | undefined, name: string): readonly Json[] {
  const found = part(value, name)
  return Array.isArray(found) ? found : []
}
