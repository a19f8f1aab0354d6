import { RE2JS } from '@bufbuild/re2'

/** Instructions times characters that one evaluation may spend on `matches`: about half a second of a slow machine. */
const ALLOWANCE = 10_000_000

/**
 * The regular expressions of one `where`. RE2 never backtracks, so that a text costs at most its length times the size of the
 * pattern; that product is bounded here.
 */
export class LinearPatterns {
  readonly #patterns = new Map<string, RE2JS>()
  #left = 0

  /** Returns whether RE2 knows such an expression. */
  add(pattern: string): boolean {
    try {
      this.#patterns.set(pattern, new RE2JS(pattern))
      return true
    } catch {
      return false
    }
  }

  /** Called before each evaluation: every one has the same allowance. */
  refill(): void {
    this.#left = ALLOWANCE
  }

  test(text: string, pattern: string): boolean {
    const compiled = this.#patterns.get(pattern)
    if (compiled === undefined) throw new RangeError('`matches` takes its pattern as text in quotes.')
    this.#left -= text.length * compiled.re2Input.prog.numInst()
    if (this.#left < 0) throw new RangeError('It matches too much text of this event.')
    return compiled.test(text)
  }
}
