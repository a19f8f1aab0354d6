import { asText, field, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { foldText } from '../compare/scalar.ts'
import { isExpected, type Estimates } from '../settle/estimates.ts'

const DATES = 'main_tracking_dates'

/** The dates of `main_tracking_dates` that are planned or estimated, or not there; nothing waits once it is cancelled. */
export const shipmentEstimates: Estimates = {
  of: ({ keys: [dates, entry] }, { before, after }) => {
    if (dates !== DATES || entry === undefined) return null
    const sides = [entryOf(before, entry), entryOf(after, entry)]
    return { key: entry, mayWait: field(after, 'status') !== 'cancelled' && sides.every(mayWait) }
  },
  keep: (leaves, { before, after }) => {
    const held = new Set(leaves.flatMap(({ keys }) => keys[1] ?? []))
    const told = datesOf(before)
    const entries = Object.entries(datesOf(after)).filter(([name]) => !held.has(name))
    const kept = [...held].flatMap((name) => (Object.hasOwn(told, name) ? [[name, told[name] ?? null] as const] : []))
    return { ...after, [DATES]: Object.fromEntries([...entries, ...kept]) }
  },
}

function datesOf(shipment: JsonObject): JsonObject {
  const dates = field(shipment, DATES)
  return dates !== undefined && isJsonObject(dates) ? dates : {}
}

function entryOf(shipment: JsonObject, name: string): Json {
  return field(field(shipment, DATES), name) ?? null
}

function mayWait(entry: Json): boolean {
  return entry === null || (isJsonObject(entry) && isExpected(foldText(asText(field(entry, 'status')) ?? '')))
}
