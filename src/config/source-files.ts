import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'

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
  for (const pattern of patterns) digest.update(JSON.stringify([pattern, matchesOf(pattern)]))
  for (const file of files) digest.update(JSON.stringify([file, contentOf(file)]))
  return digest.digest('hex')
}

/** Files that match a pattern, in order of name; hidden ones only where the pattern names the dot. */
export function matchesOf(pattern: string): readonly string[] {
  return globSync(pattern).toSorted()
}

function contentOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
  }
}
