import { statSync } from 'node:fs'
import path from 'node:path'
import { readNamedFile } from '../named-file.ts'
import { shellWord } from '../printable.ts'
import { nodeAt, type ConfigNode } from './config-node.ts'
import { secretsOf, type Config } from './config.ts'
import { problemAt, startOf, type Position, type Problem } from './problem.ts'
import type { Reading } from './reading.ts'
import { dotenvIn } from './variables.ts'

const EVERYBODY_READS = 0o004
const EVERYBODY_PASSES = 0o001
/** Shorter ones are found in ordinary words. */
const SHORTEST = 8

/** The storage of a file that another includes: it stands in the main file. */
const NO_STORAGE = { kind: 'file', path: '' } as const

interface Suspect {
  /** Absolute. */
  readonly file: string
  /** Where a warning about the file stands. */
  readonly at: Position
  readonly secrets: readonly string[]
}

/** A warning for each file of a configuration that everybody on the machine may read although a secret is written in it. */
export function exposedFiles(config: Config, root: ConfigNode, reading: Reading): readonly Problem[] {
  return suspectsOf(config, root, reading)
    .filter(isExposed)
    .map(({ file, at }) => {
      const name = path.basename(file)
      const named = shellWord(path.join(path.dirname(at.file), name))
      const message = `everybody on this machine may read \`${name}\`, which holds secrets: chmod 600 ${named}`
      return problemAt(at, message, 'warning')
    })
}

/** Any secret may stand in the main file and in a `.env`; in an included file, those of what it holds. */
function suspectsOf(config: Config, root: ConfigNode, { main, included }: Reading): readonly Suspect[] {
  const all = secretsOf(config)
  const own = secretsByFile(config, root)
  const folders = new Map([...included, main].map((file) => [path.dirname(file.absolute), startOf(file.shown)]))
  return [
    { file: main.absolute, at: startOf(main.shown), secrets: all },
    ...included.map(({ absolute, shown }) => ({
      file: absolute,
      at: startOf(shown),
      secrets: own.get(shown) ?? [],
    })),
    ...[...folders].map(([folder, at]) => ({ file: dotenvIn(folder), at, secrets: all })),
  ]
}

function secretsByFile(config: Config, root: ConfigNode): ReadonlyMap<string, readonly string[]> {
  const accounts = Map.groupBy(config.accounts, ({ name }) => nodeAt(root, ['accounts', name]).keyAt.file)
  const subscriptions = Map.groupBy(
    config.subscriptions,
    ({ name }) => nodeAt(root, ['subscriptions', name]).keyAt.file,
  )
  const files = new Set([...accounts.keys(), ...subscriptions.keys()])
  const partOf = (file: string): Config => ({
    ...config,
    http: null,
    storage: NO_STORAGE,
    accounts: accounts.get(file) ?? [],
    subscriptions: subscriptions.get(file) ?? [],
  })
  return new Map([...files].map((file) => [file, secretsOf(partOf(file))]))
}

function isExposed({ file, secrets }: Suspect): boolean {
  const certain = secrets.filter(({ length }) => length >= SHORTEST)
  if (certain.length === 0 || !isEverybodys(file)) return false
  const text = textOf(file)
  return certain.some((secret) => text.includes(secret))
}

/** Whether a file's own mode and every folder above it let everybody through. */
function isEverybodys(file: string): boolean {
  if (process.platform === 'win32' || (modeOf(file) & EVERYBODY_READS) === 0) return false
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if ((modeOf(folder) & EVERYBODY_PASSES) === 0) return false
    if (folder === path.dirname(folder)) return true
  }
}

function modeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mode ?? 0
}

/** Empty where it went since: a warning is not worth failing for. */
function textOf(file: string): string {
  const read = readNamedFile(file)
  return 'bytes' in read ? new TextDecoder().decode(read.bytes) : ''
}
