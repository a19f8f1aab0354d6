import { RE2JS } from '@bufbuild/re2'

/** Instructions times characters that one evaluation may spend on `matches`: about half a second of a slow machine. */
const ALLOWANCE = 10_000_000

/** Instructions that the patterns of one `where` may come to, estimated before any is compiled: compiling takes memory. */
const LARGEST = 10_000

/**
 * The regular expressions of one `where`. RE2 never backtracks, so that a text costs at most its length times the size of the
 * pattern; that product is bounded here.
 */
export class LinearPatterns {
  readonly #patterns = new Map<string, RE2JS>()
  #left = 0
  #size = 0

  /** Returns why a pattern is refused, or null. */
  add(pattern: string): string | null {
    this.#size += sizeOf(pattern)
    if (this.#size > LARGEST) return 'this regular expression is too large: its repetitions multiply'
    try {
      this.#patterns.set(pattern, new RE2JS(pattern))
      return null
    } catch {
      return 'this is not a regular expression as RE2 knows them'
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

const TOKEN = /\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|./gsu
/** A class of Unicode is hundreds of ranges. */
const CLASS_SIZE = 100

/** Roughly the instructions of a pattern: each repetition repeats what is before it, and one inside another multiplies. */
function sizeOf(pattern: string): number {
  const groups = [{ total: 0, last: 0 }]
  const add = (size: number): void => {
    const group = groups.at(-1)
    if (group !== undefined) Object.assign(group, { total: group.total + size, last: size })
  }
  for (const [token] of pattern.matchAll(TOKEN)) {
    const [, least, most = ''] = /^\{(\d+)(?:,(\d*))?\}$/u.exec(token) ?? []
    if (token === '(') groups.push({ total: 0, last: 0 })
    else if (token === ')' && groups.length > 1) add(groups.pop()?.total ?? 0)
    else if (least === undefined) add(/^\\[pP]/u.test(token) ? CLASS_SIZE : 1)
    else add((groups.at(-1)?.last ?? 0) * Math.max(Number(most === '' ? least : most), 1))
  }
  return groups.reduce((sum, { total }) => sum + total, 0)
}
