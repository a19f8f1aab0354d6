const FIRST_ROWS = 64
const GROWTH = 1.5

/**
 * A row of numbers for each key, all in one array: an object for each would take five times the memory. A row keeps its place
 * until its key is removed, which then is another's; keys are listed in the order in which they were added.
 */
export class NumberRows {
  readonly #width: number
  readonly #places = new Map<string, number>()
  readonly #keys: string[] = []
  readonly #free: number[] = []
  #numbers: Float64Array

  constructor(width: number) {
    this.#width = width
    this.#numbers = new Float64Array(FIRST_ROWS * width)
  }

  get size(): number {
    return this.#places.size
  }

  get places(): Iterable<number> {
    return this.#places.values()
  }

  placeOf(key: string): number | null {
    return this.#places.get(key) ?? null
  }

  keyAt(place: number): string {
    return this.#keys[place] ?? ''
  }

  /** The place of a key that has none yet; its numbers are whatever was there before. */
  add(key: string): number {
    const place = this.#free.pop() ?? this.#keys.length
    if ((place + 1) * this.#width > this.#numbers.length) this.#grow()
    this.#keys[place] = key
    this.#places.set(key, place)
    return place
  }

  remove(key: string): void {
    const place = this.#places.get(key)
    if (place === undefined) return
    this.#places.delete(key)
    this.#keys[place] = ''
    this.#free.push(place)
  }

  get(place: number, column: number): number {
    return this.#numbers[place * this.#width + column] ?? Number.NaN
  }

  set(place: number, column: number, number: number): void {
    this.#numbers[place * this.#width + column] = number
  }

  #grow(): void {
    const rows = Math.ceil((this.#numbers.length / this.#width) * GROWTH)
    const numbers = new Float64Array(rows * this.#width)
    numbers.set(this.#numbers)
    this.#numbers = numbers
  }
}
