import { asText, field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import type { World } from '../../src/sandbox/world/world.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const START = Date.UTC(2026, 10, 21, 8)

/** What stands at a path of field names and places. */
export function at(record: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let value: Json | undefined = record
  for (const step of path)
    value = typeof step === 'number' && isJsonArray(value) ? value[step] : field(value, String(step))
  return value
}

/** The objects of a list at a path; none where there is no list. */
export function objectsAt(record: Json | undefined, ...path: readonly string[]): readonly JsonObject[] {
  const list = at(record, ...path)
  return isJsonArray(list) ? list.filter(isJsonObject) : []
}

/** Everything a world shows at a time. */
export function everything(
  world: World,
  time: number,
): {
  readonly shipments: readonly JsonObject[]
  readonly tracking: readonly (JsonObject | null)[]
  readonly invoices: readonly JsonObject[]
} {
  const shipments = world.shipments.page({ skip: 0, take: 10_000 }, time)
  return {
    shipments,
    tracking: shipments.map((shipment) => world.tracking.find(textAt(shipment, 'platform_shipment_id'), time)),
    invoices: world.invoices.page({ skip: 0, take: 10_000 }, time),
  }
}

/** The text or number at a path, as text; empty where there is none. */
export function textAt(record: Json | undefined, ...path: readonly (string | number)[]): string {
  return asText(at(record, ...path)) ?? ''
}
