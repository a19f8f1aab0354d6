import { ShipbellError } from '../errors.ts'
import type { Config, StorageSettings } from './config.ts'
import { loadConfig, loadStorage, type LoadOptions } from './load-config.ts'
import type { Problem } from './problem.ts'

/** The configuration, or `config_invalid` with every error as `FILE:LINE:COL: message`. */
export function requireConfig(file: string, options: LoadOptions): Config {
  const { config, problems } = loadConfig(file, options)
  return config ?? fail(file, problems)
}

/** Only where the store is: for commands that need no secret. */
export function requireStorage(file: string, options: LoadOptions): StorageSettings {
  const { storage, problems } = loadStorage(file, options)
  return storage ?? fail(file, problems)
}

/** Every error as `FILE:LINE:COL: message`. */
export function errorLines(file: string, problems: readonly Problem[]): readonly string[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  return errors.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`)
}

function fail(file: string, problems: readonly Problem[]): never {
  throw new ShipbellError('config_invalid', errorLines(file, problems).join('\n'))
}
