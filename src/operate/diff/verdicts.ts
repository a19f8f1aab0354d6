/** Whether two texts are alike; null: their outlines do not tell. */
export type Verdict = boolean | null

/** What half of all verdicts may be kept by: characters, of which each verdict itself takes some. */
const MOST_CHARACTERS = 8_000_000
const OF_EACH = 60
const LONGEST_KEY = 500

/** The verdicts of one run, of all of its judges together, of which those go that nobody asked for lately. */
export class Verdicts {
  #young = new Map<string, Verdict>()
  #old: ReadonlyMap<string, Verdict> = new Map()
  #left = MOST_CHARACTERS

  /** The verdict by its key; undefined: it is not known, or no more. */
  get(key: string): Verdict | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, verdict: Verdict): void {
    if (key.length > LONGEST_KEY) return
    this.#left -= key.length + OF_EACH
    if (this.#left < 0) {
      this.#old = this.#young
      this.#young = new Map()
      this.#left = MOST_CHARACTERS - key.length - OF_EACH
    }
    this.#young.set(key, verdict)
  }
}
