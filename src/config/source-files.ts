import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import path from 'node:path'
import { allSteps, stepsInTurns } from '../clock.ts'
import { readNamedFile } from '../named-file.ts'
import { matchesOf } from './glob.ts'

/** What a configuration was read from. */
export interface Sources {
  /** Absolute: what was read, and what would be if it existed. The main file is the first. */
  readonly files: readonly string[]
  /** Absolute patterns: which files match them counts too. */
  readonly patterns: readonly string[]
}

/** Text that is the same while the files are: which of them there are, which can be read, and what they say; wherever their folder is. */
export function digestSources(sources: Sources): string {
  return allSteps(digesting(sources))
}

/** The digest of `digestSources`, made file by file: `letOthers` is called between them. */
export async function digestInTurns(sources: Sources, letOthers: () => Promise<void>): Promise<string> {
  return await stepsInTurns(digesting(sources), letOthers)
}

function* digesting({ files, patterns }: Sources): Generator<undefined, string> {
  const digest = createHash('sha256')
  const folder = path.dirname(files[0] ?? '')
  const named = (file: string): string => path.relative(folder, file)
  const matches = patterns.map((pattern) => matchesOf(pattern) ?? [])
  digest.update(JSON.stringify([patterns.map(named), matches.map((each) => each.map(named))]))
  for (const file of new Set([...files, ...matches.flat()])) {
    digest.update(JSON.stringify([named(file), contentOf(file)]))
    yield
  }
  return digest.digest('hex')
}

/** How many bytes there are to read; what is not there has none. */
export function bytesOf({ files, patterns }: Sources): number {
  const all = new Set([...files, ...patterns.flatMap((pattern) => matchesOf(pattern) ?? [])])
  return [...all].reduce((bytes, file) => bytes + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** Whether a digest of these would show every change of the others. */
export function covers({ files, patterns }: Sources, others: Sources): boolean {
  const known = new Set([...files, ...patterns.flatMap((pattern) => matchesOf(pattern) ?? [])])
  return others.files.every((file) => known.has(file)) && others.patterns.every((each) => patterns.includes(each))
}

function contentOf(file: string): string {
  const read = readNamedFile(file)
  return 'bytes' in read ? createHash('sha256').update(read.bytes).digest('hex') : JSON.stringify(read.trouble)
}
