/** A parsed JSON value, as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The elements of a list; of anything else none. */
export function elements(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : []
}

/** The own field of an object, or undefined for anything else: inherited names (`constructor`) are never fields. */
export function field(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function textField(value: Json | undefined, key: string): string | null {
  return asText(field(value, key))
}

/** Text of a string or number; null for everything else and for the empty string. */
export function asText(value: Json | undefined): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** What half of a character begins with in JSON. */
export const HALF_BEGINS = String.raw`\ud`
/** Half of a character as `JSON.stringify` escapes it; whole ones it does not escape. */
const HALF_ESCAPED = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** JSON that every parser takes, of what `JSON.stringify` made: a character of which half is missing is replaced. */
export function withWholeCharacters(json: string): string {
  return json.includes(HALF_BEGINS) ? json.replaceAll(HALF_ESCAPED, String.raw`$1\ufffd`) : json
}

/** A value without characters of which half is missing. */
export function wholeCharacters(value: JsonObject): JsonObject {
  const json = JSON.stringify(value)
  const whole = withWholeCharacters(json)
  return whole === json ? value : JSON.parse(whole)
}

/**
 * Whether objects and arrays lie more than `limit` levels inside each other; a flat object is one level. Recurses no deeper than
 * the limit, however deep the value is.
 */
export function nestsDeeperThan(value: Json, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit <= 0) return true
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (nestsBelow(value[index], limit)) return true
    return false
  }
  for (const name in value) if (nestsBelow(value[name], limit)) return true
  return false
}

/** Most parts are scalars, which take no call. */
function nestsBelow(part: Json | undefined, limit: number): boolean {
  return typeof part === 'object' && part !== null && nestsDeeperThan(part, limit - 1)
}

/**
 * The JSON text of a value, in which what lies more than `levels` levels deep is null: `JSON.stringify` overflows the stack where
 * a value is nested thousands of levels deep.
 */
export function shallowText(value: Json, levels: number): string {
  return JSON.stringify(nestsDeeperThan(value, levels) ? shallow(value, levels) : value)
}

function shallow(value: Json, levels: number): Json {
  if (typeof value !== 'object' || value === null) return value
  if (levels <= 0) return null
  if (isJsonArray(value)) return value.map((part) => shallow(part, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shallow(part, levels - 1)]))
}

/**
 * Whether two values are the same JSON, but for the order of keys: a cheap sufficient sign of the same meaning, which makes no
 * objects. It recurses as deep as they are nested.
 */
export function rawEqual(left: Json, right: Json): boolean {
  if (left === right) return true
  if (isJsonArray(left)) return isJsonArray(right) && sameElements(left, right)
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  for (const name in left) {
    const one = left[name]
    const other = right[name]
    // No JSON value is inherited: what is identical is the object's own.
    if (one === other) continue
    if (one === undefined || other === undefined || !Object.hasOwn(right, name) || !rawEqual(one, other)) return false
  }
  for (const name in right) if (!Object.hasOwn(left, name)) return false
  return true
}

function sameElements(left: readonly Json[], right: readonly Json[]): boolean {
  if (left.length !== right.length) return false
  // By index: pairs of an index and an element would be made of each.
  for (let index = 0; index < left.length; index += 1) {
    if (!rawEqual(left[index] ?? null, right[index] ?? null)) return false
  }
  return true
}
