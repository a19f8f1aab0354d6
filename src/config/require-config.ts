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

function fail(file: string, problems: readonly Problem[]): never {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const lines = errors.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`)
  throw new ShipbellError('config_invalid', lines.join('\n'))
}
