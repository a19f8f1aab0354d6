import { fingerprint } from '../detect/fingerprint.ts'
import type { JsonObject } from '../model/json.ts'

/** The fingerprints of the records of one answer, each made once, beside those that are known. */
export class RecordPrints {
  #known: ReadonlySet<string> = new Set()
  readonly #prints = new WeakMap<JsonObject, string>()

  /** Takes note of the fingerprints of records that were understood. */
  know(prints: Iterable<string>): void {
    this.#known = new Set(prints)
  }

  of(record: JsonObject): string {
    const print = this.#prints.get(record) ?? fingerprint(record)
    this.#prints.set(record, print)
    return print
  }

  /** Whether the record is one of those that are known. */
  has(record: JsonObject): boolean {
    try {
      return this.#known.size > 0 && this.#known.has(this.of(record))
    } catch {
      // Nested too deep for it to be written as text.
      return false
    }
  }
}
