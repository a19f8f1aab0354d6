import { lstatSync, opendirSync, type Dir, type Dirent } from 'node:fs'
import path from 'node:path'

/** What a pattern of `include` may meet: a vast tree is not walked. */
export const MOST_ENTRIES = 10_000

/**
 * Files that match an absolute pattern, in order of name; hidden ones only where the pattern names the dot. null: the pattern meets more
 * than 10,000 entries of folders, and no more of them is looked at.
 */
export function matchesOf(pattern: string): readonly string[] | null {
  const walk = new Walk()
  const isWhole = alternatives(pattern).every((each) => walk.follow(path.parse(each).root, stepsOf(each)))
  return isWhole ? [...walk.found].toSorted() : null
}

const MAGIC = /[*?[\]{}\\]|[!+@]\(/
const ANY_DEPTH = '**'

/** The steps from one folder to the next; `**` behind `**` says nothing new. */
function stepsOf(pattern: string): readonly string[] {
  const steps = path.relative(path.parse(pattern).root, pattern).split(path.sep)
  return steps.filter((step, index) => step !== '' && (step !== ANY_DEPTH || steps[index - 1] !== ANY_DEPTH))
}

/** Links that a pattern does not name are no way down: they may lead back up. */
class Walk {
  readonly found = new Set<string>()
  readonly #seen = new Set<string>()
  #met = 0

  /** Returns whether it came to the end. */
  follow(folder: string, steps: readonly string[]): boolean {
    const key = `${steps.length} ${steps.join(path.sep)} ${folder}`
    if (this.#seen.has(key)) return true
    this.#seen.add(key)
    const [step, ...rest] = steps
    if (step === undefined) return this.#take(folder)
    if (step === ANY_DEPTH) return this.follow(folder, rest) && this.#deeper(folder, steps)
    if (!MAGIC.test(step)) return this.follow(path.join(folder, step), rest)
    return this.#each(folder, (entry) => {
      const isWayDown = rest.length === 0 || entry.isDirectory()
      if (!isWayDown || !path.matchesGlob(entry.name, step)) return true
      return this.follow(path.join(folder, entry.name), rest)
    })
  }

  #deeper(folder: string, steps: readonly string[]): boolean {
    const isLast = steps.length === 1
    return this.#each(folder, (entry) => {
      if (entry.name.startsWith('.')) return true
      const inside = path.join(folder, entry.name)
      if (entry.isDirectory()) return this.follow(inside, steps)
      return !isLast || this.#take(inside)
    })
  }

  #take(file: string): boolean {
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) this.found.add(file)
    return true
  }

  /** Entries of a folder, until one is too many; none of what is no folder, or cannot be read. */
  #each(folder: string, look: (entry: Dirent) => boolean): boolean {
    const listed = this.#list(folder)
    return listed?.every(look) ?? false
  }

  #list(folder: string): readonly Dirent[] | null {
    const entries: Dirent[] = []
    const open = opened(folder)
    try {
      for (let entry = open?.readSync() ?? null; entry !== null; entry = open?.readSync() ?? null) {
        this.#met += 1
        if (this.#met > MOST_ENTRIES) return null
        entries.push(entry)
      }
    } catch {
      // A folder that goes while it is listed counts as far as it was.
    } finally {
      open?.closeSync()
    }
    return entries
  }
}

function opened(folder: string): Dir | null {
  try {
    return opendirSync(folder, { bufferSize: 1_024 })
  } catch {
    return null
  }
}

/** A pattern without braces around a separator: one pattern for each alternative. At most as many as entries may be met. */
function alternatives(pattern: string): readonly string[] {
  const whole: string[] = []
  for (const waiting = [pattern]; waiting.length > 0;) {
    const next = waiting.pop() ?? ''
    const group = bracesAround(next)
    if (group === null) whole.push(next)
    else waiting.push(...group)
    if (whole.length + waiting.length > MOST_ENTRIES) return whole
  }
  return whole
}

function bracesAround(pattern: string): readonly string[] | null {
  for (const { index } of pattern.matchAll(/\{/g)) {
    const { end, parts } = groupAt(pattern, index)
    if (end === -1 || parts.length < 2 || !parts.some((part) => part.includes(path.sep))) continue
    const [before, after] = [pattern.slice(0, index), pattern.slice(end + 1)]
    return parts.map((part) => path.normalize(`${before}${part}${after}`))
  }
  return null
}

/** What stands between a brace and its partner, at the commas between them; `end` is -1 where it has none. */
function groupAt(pattern: string, start: number): { readonly end: number; readonly parts: readonly string[] } {
  const parts = ['']
  let depth = 0
  for (let index = start + 1; index < pattern.length; index += 1) {
    const character = pattern.charAt(index)
    if (character === '}' && depth === 0) return { end: index, parts }
    if (character === ',' && depth === 0) parts.push('')
    else {
      if (character === '{') depth += 1
      if (character === '}') depth -= 1
      parts.push(`${parts.pop() ?? ''}${character}`)
    }
  }
  return { end: -1, parts }
}
