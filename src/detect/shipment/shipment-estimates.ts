import { asText, field, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
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
    const held = Map.groupBy(leaves, ({ keys }) => keys[1] ?? '')
    const [reported, shown] = [datesOf(before), datesOf(after)]
    const entries = Object.entries(shown).filter(([name]) => !held.has(name))
    const waiting = [...held].flatMap(([name, own]) => {
      const entry = Object.hasOwn(reported, name) ? reported[name] : undefined
      return entry === undefined ? [] : [[name, keptEntry(entry, field(shown, name) ?? null, own)] as const]
    })
    return { ...after, [DATES]: Object.fromEntries([...entries, ...waiting]) }
  },
}

function datesOf(shipment: JsonObject): JsonObject {
  const dates = field(shipment, DATES)
  return dates !== undefined && isJsonObject(dates) ? dates : {}
}

/** Only what waits stays as it was reported. The first value of a new field has been taken silently already. */
function keptEntry(reported: Json, shown: Json, leaves: readonly LeafChange[]): Json {
  if (!isJsonObject(reported) || !isJsonObject(shown)) return reported
  const held = new Set(leaves.flatMap(({ keys }) => keys[2] ?? []))
  const moved = Object.entries(shown).filter(([name]) => !held.has(name))
  return Object.fromEntries([...moved, ...Object.entries(reported).filter(([name]) => held.has(name))])
}

function entryOf(shipment: JsonObject, name: string): Json {
  return field(field(shipment, DATES), name) ?? null
}

function mayWait(entry: Json): boolean {
  return entry === null || (isJsonObject(entry) && isExpected(foldText(asText(field(entry, 'status')) ?? '')))
}
