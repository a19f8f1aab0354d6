import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'

/** What a configuration was read from. */
export interface Sources {
  /** Absolute: what was read, and what would be if it existed. */
  readonly files: readonly string[]
  /** Absolute patterns: which files match them counts too. */
  readonly patterns: readonly string[]
}

/** Text that is the same while the files are: which of them there are, which can be read, and what they say. */
export function digestSources({ files, patterns }: Sources): string {
  const digest = createHash('sha256')
  const matches = patterns.map(matchesOf)
  digest.update(JSON.stringify([patterns, matches]))
  for (const file of new Set([...files, ...matches.flat()])) digest.update(JSON.stringify([file, contentOf(file)]))
  return digest.digest('hex')
}

/** Whether a digest of these would show every change of the others. */
export function covers({ files, patterns }: Sources, others: Sources): boolean {
  const known = new Set([...files, ...patterns.flatMap(matchesOf)])
  return others.files.every((file) => known.has(file)) && others.patterns.every((each) => patterns.includes(each))
}

/** Files that match a pattern, in order of name; hidden ones only where the pattern names the dot. */
export function matchesOf(pattern: string): readonly string[] {
  return globSync(pattern).toSorted()
}

function contentOf(file: string): string {
  try {
    // Reading a pipe would never end.
    if (!statSync(file).isFile()) return 'no file'
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
  }
}
