import type { EventType } from '../model/event-catalogue.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { fullPayload } from '../model/payload.ts'
import { sampleEvent } from './sample-event.ts'

/**
 * What a payload of a type has, for telling whether an expression speaks of something else: `previous` as every field may
 * have been, and `null` where anything may stand.
 */
export function samplePayload(type: EventType): JsonObject {
  const payload = fullPayload(sampleEvent(type))
  const { data } = payload
  if (!isJsonObject(data)) return payload
  const { object, previous, changes } = data
  return {
    ...payload,
    data: {
      ...data,
      ...(isJsonObject(previous) && isJsonObject(object) ? { previous: { ...object, ...previous } } : {}),
      ...(isJsonArray(changes) ? { changes: changes.map(anyValue) } : {}),
      // Totals by currency.
      ...(type.endsWith('.amount_changed') ? { from: null, to: null } : {}),
    },
  }
}

function anyValue(change: Json): JsonObject {
  return { ...(isJsonObject(change) ? change : {}), from: null, to: null }
}
