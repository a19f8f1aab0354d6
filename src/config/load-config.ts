import { readFileSync } from 'node:fs'
import path from 'node:path'
import { systemClock, type Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import { assembleConfig } from './assemble-config.ts'
import { configKeys, storage } from './config-keys.ts'
import { childOf } from './config-node.ts'
import { secretsOf, type Config, type StorageSettings } from './config.ts'
import { ConfigReading } from './config-reading.ts'
import { exposedFiles } from './exposed-files.ts'
import { dotenvIn, fileVariables } from './file-variables.ts'
import type { Problem } from './problem.ts'
import { unknownNames } from './references.ts'
import { templateProblems } from './template-problems.ts'
import { warningsOf } from './warnings.ts'

export interface LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute; a relative file starts there. */
  readonly cwd: string
  /** Judges certificates; by default the system's. */
  readonly clock?: Clock
}

export interface LoadedConfig {
  /** null where a problem is an error. */
  readonly config: Config | null
  /** In the order of the file. */
  readonly problems: readonly Problem[]
  /** Absolute: what it was read from, and what it would be if that existed. */
  readonly files: readonly string[]
}

export interface LoadedStorage {
  readonly storage: StorageSettings | null
  readonly problems: readonly Problem[]
}

/** Reads and validates a configuration. Throws `config_invalid` only where there is no readable file. */
export function loadConfig(file: string, options: LoadOptions): LoadedConfig {
  const { reading, folder, files } = open(file, options)
  const failed = (): LoadedConfig => ({ config: null, problems: reading.problems, files: [...files] })
  const root = reading.root()
  if (root === null) return failed()
  const keys = configKeys.read(root, '', reading)
  for (const problem of unknownNames(root)) reading.report(problem)
  if (keys === undefined || reading.failed) return failed()
  const config = assembleConfig(keys, file, folder)
  for (const problem of templateProblems(keys, config.subscriptions, root)) reading.report(problem)
  if (reading.failed) return failed()
  const now = (options.clock ?? systemClock).now()
  for (const problem of warningsOf(config, root, now)) reading.report(problem)
  for (const problem of exposedFiles([path.resolve(options.cwd, file), dotenvIn(folder)], secretsOf(config)))
    reading.report(problem)
  return { config, problems: reading.problems, files: [...files] }
}

/** Only `storage`: for commands that read or write the store alone, whatever is wrong or unset elsewhere in the file. */
export function loadStorage(file: string, options: LoadOptions): LoadedStorage {
  const { reading, folder } = open(file, options)
  const root = reading.root('storage')
  if (root === null) return { storage: null, problems: reading.problems }
  const node = childOf(root, 'storage') ?? reading.defaultNode({}, root.at)
  const keys = storage.read(node, 'storage', reading)
  if (keys === undefined || reading.failed) return { storage: null, problems: reading.problems }
  return { storage: { path: path.resolve(folder, keys.path) }, problems: reading.problems }
}

interface Opened {
  readonly reading: ConfigReading
  readonly folder: string
  readonly files: ReadonlySet<string>
}

function open(file: string, { env, cwd }: LoadOptions): Opened {
  const absolute = path.resolve(cwd, file)
  const folder = path.dirname(absolute)
  const files = new Set([absolute])
  const variables = fileVariables(folder, env, (read) => files.add(read))
  return { reading: new ConfigReading(readText(absolute, file), variables), folder, files }
}

function readText(absolute: string, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(absolute))
  } catch (cause) {
    throw new ShipbellError('config_invalid', whyUnreadable(cause, shown), { cause })
  }
}

function whyUnreadable(error: unknown, shown: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOENT':
      return `There is no configuration ${shown}: write one with \`shipbell init\`, or name another with -c FILE.`
    case 'EISDIR':
      return `${shown} is a folder: name the configuration file in it with -c FILE.`
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return `${shown} is not UTF-8 text: save it as UTF-8.`
    default:
      return `${shown} cannot be read (${code}): make it readable, or name another with -c FILE.`
  }
}
