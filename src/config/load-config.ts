import { systemClock, type Clock } from '../clock.ts'
import { tokenProblems } from './access-tokens.ts'
import { defaultChannels, withDefaults } from './channel-defaults.ts'
import { judge } from './judge.ts'
import { bodyProblems, BodyReader, type NamedBodies } from './bodies.ts'
import { assembleConfig, httpSettings } from './assemble-config.ts'
import { channelChoices } from './channel-choices.ts'
import type { ConfigFile } from './config-file.ts'
import { warningsOf } from './warnings.ts'
import { withReplaced, type ConfigNode } from './config-node.ts'
import { configSchema, DEFAULT_TOKENS } from './config-schema.ts'
import type { Config } from './config.ts'
import { expectationProblems } from './expectation-problems.ts'
import { exposedFiles } from './exposed-files.ts'
import { includedFiles, mergeFiles } from './included-files.ts'
import { badNames, unknownNames } from './names.ts'
import { refuseFile, type Problem } from './problem.ts'
import { Reading, type Surroundings } from './reading.ts'
import type { Sources } from './source-files.ts'
import { TemplateReader, templateProblems, type NamedTemplates } from './templates.ts'
import { withPemFiles } from './tls.ts'
import { withStandIns } from './unresolved.ts'
import type { FileText } from './variables.ts'

export interface LoadOptions extends Surroundings {
  /** Judges certificates; by default the system's. */
  readonly clock?: Clock
  /** Who tells nobody of warnings does not look for them. */
  readonly withoutWarnings?: true
  /** Asks what a file says without its secrets: places of `withStandIns` hold stand-ins. */
  readonly withoutSecrets?: boolean
}

export interface LoadedConfig {
  /** The configuration; null where a problem is an error. */
  readonly config: Config | null
  /** Every problem, in the order of the files. */
  readonly problems: readonly Problem[]
  readonly sources: Sources
  /** What the files say, as one tree; null where there is none. */
  readonly root: ConfigNode | null
}

/** Reads and validates a configuration. Throws `config_invalid` only where there is no readable file. */
export function loadConfig(file: string, options: LoadOptions): LoadedConfig {
  const reading = new Reading(file, options)
  const failed = (): LoadedConfig => ({ ...said(reading), config: null, root: null })
  const read = wholeTree(reading, options)
  if (read === null) return failed()
  const { bodies, root, templates } = read
  const choices = channelChoices(root)
  const elsewhere = choices.map((choice) => choice.path)
  const { data: keys, problems } = judge(configSchema, root, elsewhere)
  reading.report(...badNames(root), ...problems, ...choices.map(({ problem }) => problem))
  reading.report(...defaultChannels(root), ...tokenProblems(root))
  if (!reading.isPartial) reading.report(...unknownNames(root))
  if (keys === undefined || reading.failed) return failed()
  const config = assembleConfig(keys, { file, folder: reading.folder, root, templates, bodies })
  reading.report(...templateProblems(config.subscriptions, root, templates), ...expectationProblems(config, root))
  reading.report(...bodyProblems(config.subscriptions, root))
  if (reading.failed) return failed()
  if (options.withoutWarnings === true) return { ...said(reading), config, root }
  reading.report(...warningsOf(config, root, (options.clock ?? systemClock).now()))
  reading.report(...exposedFiles(config, root, reading))
  return { ...said(reading), config, root }
}

function said({ problems, sources }: Reading): Pick<LoadedConfig, 'problems' | 'sources'> {
  return { problems, sources }
}

/** A tree, and what is compiled of what it names. */
interface NamedTree {
  readonly root: ConfigNode
  readonly templates: NamedTemplates
  readonly bodies: NamedBodies
}

/** The tree of all files, with defaults, the texts of PEM files in place of their paths, and the templates that they name. */
function wholeTree(reading: Reading, { withoutSecrets = false }: LoadOptions): NamedTree | null {
  const written = reading.mainTree()
  if (written === null) return null
  const judged = (tree: ConfigNode): ConfigNode =>
    withoutSecrets ? withStandIns(tree, (problem) => reading.report(problem)) : tree
  const main = withNamedFiles(judged(withDefaultTokens(written, reading.main)), reading.main)
  const parts = includedFiles(written, reading).flatMap((file) => {
    const tree = file.tree(WHAT_OF_EMPTY)
    if (tree !== null) return [withNamedFiles(judged(tree), file)]
    reading.isPartial = true
    return []
  })
  const named = [main, ...parts]
  const merged = mergeFiles(
    main.root,
    parts.map(({ root }) => root),
    (problem) => reading.report(problem),
  )
  return {
    root: withDefaults(merged),
    templates: new Map(named.flatMap(({ templates }) => [...templates])),
    bodies: new Map(named.flatMap(({ bodies }) => [...bodies])),
  }
}

/** A file that lost its text must not take its customers with it. */
const WHAT_OF_EMPTY = 'remove it, or write `accounts: {}` into it'

function withDefaultTokens(tree: ConfigNode, file: ConfigFile): ConfigNode {
  return Object.entries(DEFAULT_TOKENS).reduce(
    (filled, [key, text]) => file.withDefault(filled, ['http', key], text),
    tree,
  )
}

/** Only the admin interface: for commands that ask a running daemon, whatever is wrong or unset elsewhere in the file. */
export function requireHttp(file: string, options: LoadOptions): Config['http'] {
  const reading = new Reading(file, options)
  const root = reading.mainTree(['http'])
  if (root === null) return refuseFile(reading.problems)
  const { data, problems } = judge(configSchema.pick({ http: true }), withDefaultTokens(root, reading.main))
  reading.report(...problems)
  if (data === undefined || reading.failed) return refuseFile(reading.problems)
  return data.http && httpSettings(data.http)
}

/** Only the private networks that may be dialled: for commands that send elsewhere, whatever else the file says. */
export function requireAllowNetworks(file: string, options: LoadOptions): readonly string[] {
  const reading = new Reading(file, options)
  const root = reading.mainTree(['delivery'])
  if (root === null) return refuseFile(reading.problems)
  const { data, problems } = judge(configSchema.pick({ delivery: true }), root)
  reading.report(...problems)
  if (data === undefined || reading.failed) return refuseFile(reading.problems)
  return data.delivery.allow_networks
}

const HOLD_TEMPLATES = [
  ['subscriptions', '*'],
  ['defaults', 'subscription'],
]
const HOLD_PEM = [['accounts', '*'], ['defaults', 'account'], ['smtp'], ...HOLD_TEMPLATES]

/** A tree with the texts of PEM files in place of their paths, and the templates that it names. */
function withNamedFiles(tree: ConfigNode, reading: ConfigFile): NamedTree {
  const file = (name: string): FileText => reading.variables.file(name)
  const report = (problem: Problem): void => reading.report(problem)
  const [reader, bodies] = [new TemplateReader(file, report), new BodyReader(file, report)]
  const withPem = (node: ConfigNode | undefined): ConfigNode | undefined => node && withPemFiles(node, file, report)
  const trusting = HOLD_PEM.reduce((root, place) => withReplaced(root, place, withPem), tree)
  const root = HOLD_TEMPLATES.reduce((each, place) => {
    const told = withReplaced(each, [...place, 'template'], (node) => node && reader.read(node))
    return withReplaced(told, [...place, 'body'], (node) => node && bodies.read(node))
  }, trusting)
  return { root, templates: reader.templates, bodies: bodies.bodies }
}

/** The configuration, or `config_invalid` with every error as `FILE:LINE:COL: message`. */
export function requireConfig(file: string, options: LoadOptions): Config {
  return requireLoaded(file, options).config
}

/** The configuration that has to be there, with what it was read from. */
export function requireLoaded(
  file: string,
  options: LoadOptions,
): { readonly config: Config; readonly sources: Sources } {
  const { config, problems, sources } = loadConfig(file, { ...options, withoutWarnings: true })
  return { config: config ?? refuseFile(problems), sources }
}
