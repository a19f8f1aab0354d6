import type { OutlinesAlike } from './outlines-alike.ts'
import { Verdicts } from './verdicts.ts'

/** What is remembered in one run for all subscriptions together. */
export class DiffMemory {
  readonly verdicts = new Verdicts()
  readonly #outlines = new Map<string, OutlinesAlike | null>()
  #judges = 0

  /** A number that no other judge has. */
  nextJudge(): number {
    this.#judges += 1
    return this.#judges
  }

  /** The outlines of two templates, which many subscriptions may have. */
  outlines(key: readonly unknown[], make: () => OutlinesAlike | null): OutlinesAlike | null {
    const name = JSON.stringify(key)
    const known = this.#outlines.get(name)
    if (known !== undefined) return known
    const made = make()
    this.#outlines.set(name, made)
    return made
  }
}
