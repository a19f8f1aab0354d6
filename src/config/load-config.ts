import path from 'node:path'
import { z } from 'zod'
import { systemClock, type Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import { account } from './account-schema.ts'
import { assembleConfig, httpSettings, watchSettings } from './assemble-config.ts'
import { channelChoices } from './channel-choice.ts'
import { childOf, withReplaced, type ConfigNode } from './config-node.ts'
import { configSchema, DEFAULT_TOKENS } from './config-schema.ts'
import { secretsOf, type Config, type StorageSettings } from './config.ts'
import { exposedFiles } from './exposed-files.ts'
import { judge } from './judge.ts'
import { badNames, unknownNames } from './names.ts'
import type { Problem } from './problem.ts'
import { Reading } from './reading.ts'
import { entries } from './schema-parts.ts'
import { TemplateReader, templateProblems, type NamedTemplates } from './templates.ts'
import { withPemFiles } from './tls.ts'
import { dotenvIn, type FileText } from './variables.ts'
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

interface LoadedStorage {
  readonly storage: StorageSettings | null
  readonly problems: readonly Problem[]
}

/** Reads and validates a configuration. Throws `config_invalid` only where there is no readable file. */
export function loadConfig(file: string, options: LoadOptions): LoadedConfig {
  const reading = new Reading(file, options)
  const { folder } = reading
  const failed = (): LoadedConfig => ({ config: null, problems: reading.problems, files: [...reading.files] })
  const written = reading.tree()
  if (written === null) return failed()
  const { root, templates } = withNamedFiles(withDefaultTokens(written, reading), reading)
  const choices = channelChoices(root)
  const elsewhere = choices.map((choice) => choice.path)
  const { data: keys, problems } = judge(configSchema, root, elsewhere)
  reading.report(...badNames(root), ...problems, ...choices.map(({ problem }) => problem), ...unknownNames(root))
  if (keys === undefined || reading.failed) return failed()
  const config = assembleConfig(keys, { file, folder, root, templates })
  reading.report(...templateProblems(config.subscriptions, root, templates))
  if (reading.failed) return failed()
  reading.report(...warningsOf(config, root, (options.clock ?? systemClock).now()))
  reading.report(...exposedFiles([path.resolve(options.cwd, file), dotenvIn(folder)], secretsOf(config)))
  return { config, problems: reading.problems, files: [...reading.files] }
}

/** Only `storage`: for commands that read or write the store alone, whatever is wrong or unset elsewhere in the file. */
function loadStorage(file: string, options: LoadOptions): LoadedStorage {
  const reading = new Reading(file, options)
  const root = reading.tree('storage')
  if (root === null) return { storage: null, problems: reading.problems }
  const { data, problems } = judge(configSchema.pick({ storage: true }), root)
  reading.report(...problems)
  if (data === undefined || reading.failed) return { storage: null, problems: reading.problems }
  return { storage: { path: path.resolve(reading.folder, data.storage.path) }, problems: reading.problems }
}

function withDefaultTokens(tree: ConfigNode, reading: Reading): ConfigNode {
  return Object.entries(DEFAULT_TOKENS).reduce(
    (filled, [key, text]) => reading.withDefault(filled, ['http', key], text),
    tree,
  )
}

/** Only the admin interface: for commands that ask a running daemon, whatever is wrong or unset elsewhere in the file. */
export function requireHttp(file: string, options: LoadOptions): Config['http'] {
  const reading = new Reading(file, options)
  const root = reading.tree('http')
  if (root === null) return fail(file, reading.problems)
  const { data, problems } = judge(configSchema.pick({ http: true }), withDefaultTokens(root, reading))
  reading.report(...problems)
  if (data === undefined || reading.failed) return fail(file, reading.problems)
  return data.http && httpSettings(data.http)
}

/** Only the private networks that may be dialled: for commands that send elsewhere, whatever else the file says. */
export function requireAllowNetworks(file: string, options: LoadOptions): readonly string[] {
  const reading = new Reading(file, options)
  const root = reading.tree('delivery')
  if (root === null) return fail(file, reading.problems)
  const { data, problems } = judge(configSchema.pick({ delivery: true }), root)
  reading.report(...problems)
  if (data === undefined || reading.failed) return fail(file, reading.problems)
  return data.delivery.allow_networks
}

/** Only what accounts watch: needs no secret; null where that is not said rightly. */
export function loadWatched(
  file: string,
  options: LoadOptions,
): readonly Pick<Config['accounts'][number], 'name' | 'watch'>[] | null {
  const root = new Reading(file, options).tree('accounts')
  if (root === null) return null
  const watching = withReplaced(root, ['accounts', '*'], (node) => node && onlyChild(node, 'watch'))
  const { data } = judge(z.object({ accounts: entries(account.pick({ watch: true }), '') }), watching)
  if (data === undefined) return null
  return Object.entries(data.accounts).map(([name, { watch }]) => ({ name, watch: watchSettings(watch) }))
}

function onlyChild(node: ConfigNode, key: string): ConfigNode {
  const child = childOf(node, key)
  return node.kind === 'map' ? { ...node, children: new Map(child && [[key, child]]) } : node
}

/** The tree with the texts of PEM files in place of their paths, and the templates that it names. */
function withNamedFiles(
  tree: ConfigNode,
  reading: Reading,
): { readonly root: ConfigNode; readonly templates: NamedTemplates } {
  const file = (name: string): FileText => reading.variables.file(name)
  const report = (problem: Problem): void => reading.report(problem)
  const reader = new TemplateReader(file, report)
  const root = withReplaced(tree, ['subscriptions', '*'], (subscription) =>
    subscription === undefined
      ? undefined
      : withReplaced(withPemFiles(subscription, file, report), ['template'], (node) => node && reader.read(node)),
  )
  return { root, templates: reader.templates }
}

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
