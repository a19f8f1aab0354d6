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
 * A payload as CEL sees it. Objects are maps, so that no key (`constructor`, `__proto__`) means anything but itself. What is read is
 * converted when it is read first: most expressions look at little of a record. Reads are metered, so that a huge record ends the
 * evaluation and does not hold up the process.
 */
export class CelValues {
  readonly fields: ReadonlyMap<string, unknown>
  readonly #allowance = new Allowance()

  constructor(payload: JsonObject) {
    const roots = Object.entries(payload).map(([name, value]) => [name, convert(value, this.#allowance)] as const)
    this.fields = new Map(roots)
  }

  /** Called before each evaluation: each has the same allowance. */
  refill(): void {
    this.#allowance.refill()
  }
}

class Allowance {
  #left = 0

  refill(): void {
    this.#left = ALLOWANCE
  }

  charge(value: unknown, cost: number): unknown {
    this.#left -= cost + weightOf(value)
    if (this.#left < 0) throw new TooCostly()
    return value
  }
}

function convert(value: Json, allowance: Allowance): unknown {
  if (isJsonArray(value)) return metered(value, allowance)
  return isJsonObject(value) ? new MeteredMap(value, allowance) : value
}

/** An object. The map itself holds what was read of it. */
class MeteredMap extends Map<string, unknown> {
  readonly #object: JsonObject
  readonly #allowance: Allowance
  #size: number | null = null

  constructor(object: JsonObject, allowance: Allowance) {
    super()
    this.#object = object
    this.#allowance = allowance
  }

  override get size(): number {
    this.#size ??= Object.keys(this.#object).length
    return this.#size
  }

  override has(key: string): boolean {
    return typeof key === 'string' && Object.hasOwn(this.#object, key)
  }

  override keys(): MapIterator<string> {
    return Object.keys(this.#object).values()
  }

  override get(key: string): unknown {
    const value = this.#read(key)
    return this.#allowance.charge(value, value === undefined ? MISSING_COST : FIELD_COST)
  }

  override entries(): MapIterator<[string, unknown]> {
    return Object.keys(this.#object)
      .map((key): [string, unknown] => [key, this.#read(key)])
      .values()
  }

  override values(): MapIterator<unknown> {
    return Object.keys(this.#object)
      .map((key) => this.#read(key))
      .values()
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries()
  }

  override forEach(visit: (value: unknown, key: string, map: Map<string, unknown>) => void): void {
    for (const [key, value] of this) visit(value, key, this)
  }

  #read(key: string): unknown {
    const known = super.get(key)
    if (known !== undefined || !this.has(key)) return known
    const value = convert(this.#object[key] ?? null, this.#allowance)
    if (typeof value === 'object') this.set(key, value)
    return value
  }
}

// The library tells maps by their constructor.
Object.defineProperty(MeteredMap.prototype, 'constructor', { value: Map })

/** A list. `undefined` stands for what was not read yet. */
function metered(items: readonly Json[], allowance: Allowance): readonly unknown[] {
  const read: unknown[] = Array.from(items, () => undefined)
  return new Proxy(read, {
    get: (target, key): unknown => {
      const isElement = typeof key === 'string' && key !== 'length' && Object.hasOwn(target, key)
      if (!isElement) return Reflect.get(target, key)
      const index = Number(key)
      target[index] ??= convert(items[index] ?? null, allowance)
      return allowance.charge(target[index], ELEMENT_COST)
    },
  })
}

function weightOf(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / CHARACTERS_A_UNIT)
  return value instanceof Map ? Math.floor(value.size / KEYS_A_UNIT) : 0
}
