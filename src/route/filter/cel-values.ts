import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { TooCostly } from './evaluation-meter.ts'

/** What one evaluation may spend on reading its payload: the densest honest expressions spend some ten thousand. */
const ALLOWANCE = 100_000
/** For each element, which a loop reads. Its body may fail every time, and the library's errors are costly: a missing field is one. */
const ELEMENT_COST = 5
const FIELD_COST = 1
const MISSING_COST = 20
/** Added for a string, which may be scanned, and for an object, whose keys may be listed. */
const CHARACTERS_A_UNIT = 1_024
const KEYS_A_UNIT = 4

/**
 * A payload as CEL sees it. Objects are maps, so that no key (`constructor`, `__proto__`) means anything but itself. Reads are
 * metered, so that a huge record ends the evaluation and does not hold up the process.
 */
export class CelValues {
  readonly fields: ReadonlyMap<string, unknown>
  #left = 0

  constructor(payload: JsonObject) {
    this.fields = new Map(Object.entries(payload).map(([name, value]) => [name, this.#convert(value)]))
  }

  /** Called before each evaluation: each has the same allowance. */
  refill(): void {
    this.#left = ALLOWANCE
  }

  #convert(value: Json): unknown {
    if (isJsonArray(value)) return this.#metered(value.map((item) => this.#convert(item)))
    return isJsonObject(value) ? this.#map(value) : value
  }

  /** The library tells maps by their constructor, so this is a `Map` whose own `get` counts, not a subclass. */
  #map(object: JsonObject): ReadonlyMap<string, unknown> {
    const map = new Map(Object.entries(object).map(([key, value]) => [key, this.#convert(value)]))
    const read = (key: string): unknown => {
      const value: unknown = Map.prototype.get.call(map, key)
      return this.#charge(value, value === undefined ? MISSING_COST : FIELD_COST)
    }
    return Object.defineProperty(map, 'get', { value: read })
  }

  #metered(items: readonly unknown[]): readonly unknown[] {
    return new Proxy(items, {
      get: (target, key): unknown => {
        const value: unknown = Reflect.get(target, key)
        const isElement = typeof key === 'string' && key !== 'length' && Object.hasOwn(target, key)
        return isElement ? this.#charge(value, ELEMENT_COST) : value
      },
    })
  }

  #charge(value: unknown, cost: number): unknown {
    this.#left -= cost + weightOf(value)
    if (this.#left < 0) throw new TooCostly()
    return value
  }
}

function weightOf(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / CHARACTERS_A_UNIT)
  return value instanceof Map ? Math.floor(value.size / KEYS_A_UNIT) : 0
}
