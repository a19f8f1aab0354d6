import { ShipbellError } from '../errors.ts'
import type { Config } from './config.ts'
import { loadConfig } from './load-config.ts'
import { errorLines } from './problem.ts'
import type { Surroundings } from './reading.ts'
import { covers, digestSources, type Sources } from './source-files.ts'

/** A configuration as its files have it at one moment. */
export interface WatchedConfig {
  /** The configuration; null: it cannot be used. */
  readonly config: Config | null
  /** Why the configuration cannot be used. */
  readonly problems: readonly string[]
  readonly sources: Sources
  /** The digest of exactly what it was read from. */
  readonly digest: string
}

export interface WatchedFiles extends Surroundings {
  /** The file as the command line names it. */
  readonly file: string
  /** What was read last. */
  readonly known: Sources
}

const MOST_TRIES = 3

/** Reads a configuration again that may be written meanwhile: until its files were the same before and after. */
export function readWatched({ file, known, ...surroundings }: WatchedFiles): WatchedConfig {
  let sources = known
  for (let tries = 1; ; tries += 1) {
    const digest = digestSources(sources)
    const read = tryLoad(file, surroundings, sources)
    const whole = { ...read, digest: digestSources(read.sources) }
    if (tries === MOST_TRIES || (covers(sources, read.sources) && digestSources(sources) === digest)) return whole
    sources = read.sources
  }
}

function tryLoad(file: string, surroundings: Surroundings, known: Sources): Omit<WatchedConfig, 'digest'> {
  try {
    const { config, problems, sources } = loadConfig(file, { ...surroundings, withoutWarnings: true })
    return { config, problems: errorLines(problems), sources }
  } catch (error) {
    if (!(error instanceof ShipbellError)) throw error
    return { config: null, problems: [error.message], sources: known }
  }
}
