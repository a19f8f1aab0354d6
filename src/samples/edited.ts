import { field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { parsePointer } from '../model/pointer.ts'

/** A record with other values at these JSON Pointers. Throws `RangeError` for the pointer of the whole record. */
export function edited(record: JsonObject, values: Readonly<Record<string, Json>>): JsonObject {
  return Object.entries(values).reduce((before, [path, value]) => {
    const after = placed(before, parsePointer(path), value)
    if (!isJsonObject(after)) throw new RangeError('An edit names a field of the record.')
    return after
  }, record)
}

function placed(within: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value
  if (within !== undefined && isJsonArray(within)) {
    const place = Number(name)
    return within.with(place, placed(within[place], rest, value))
  }
  const fields = within !== undefined && isJsonObject(within) ? within : {}
  return { ...fields, [name]: placed(field(within, name), rest, value) }
}
