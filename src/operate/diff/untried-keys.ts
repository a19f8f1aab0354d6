import { isDeepStrictEqual } from 'node:util'
import { childOf, type ConfigNode, nodeAt, plainValue } from '../../config/config-node.ts'
import type { Config } from '../../config/config.ts'
import { isJsonObject, type Json } from '../../model/json.ts'

/** A configuration, and what its files say as a tree. */
export interface LoadedSide {
  readonly config: Config
  readonly root: ConfigNode
}

/** Keys of an account that say how it is reached, and nothing of what rings. */
const REACHED_BY: ReadonlySet<string> = new Set([
  'api_key',
  'proxy',
  'tls',
  'timeout',
  'budget',
  'name',
  'expectations',
])

/** Keys of a subscription whose messages are made of no event of the log. */
const NOT_COUNTED = ['remind', 'start', 'watermark']

/**
 * The keys that two configurations have not alike and that a log cannot be tried with: what rings, and what is sent of no event. Each as
 * `accounts.acme.settle`, in the order of their names.
 */
export function untriedKeys(old: LoadedSide, other: LoadedSide): readonly string[] {
  const accounts = untriedAccounts(old, other)
  const rules = childrenNamed([old.root, other.root], 'expectations').flatMap((name) =>
    isSameNode([old.root, other.root], ['expectations', name]) ? [] : [`expectations.${name}`],
  )
  const subscriptions = namesOf(old.config.subscriptions).filter((name) =>
    namesOf(other.config.subscriptions).includes(name),
  )
  const beside = subscriptions.flatMap((name) =>
    NOT_COUNTED.filter((key) => !isSameNode([old.root, other.root], ['subscriptions', name, key])).map(
      (key) => `subscriptions.${name}.${key}`,
    ),
  )
  const page = old.config.http?.publicUrl === other.config.http?.publicUrl ? [] : ['http.public_url']
  return [...accounts, ...rules, ...beside, ...page].toSorted()
}

function namesOf(named: readonly { readonly name: string }[]): readonly string[] {
  return named.map(({ name }) => name)
}

function untriedAccounts(old: LoadedSide, other: LoadedSide): readonly string[] {
  const names = new Set([old, other].flatMap(({ config }) => namesOf(config.accounts)))
  return [...names].flatMap((name) => {
    const [before, after] = [accountOf(old, name), accountOf(other, name)]
    if (before === null || after === null) return [`accounts.${name}`]
    return keysOfAccounts(before, after).map((key) => `accounts.${name}.${key}`)
  })
}

function accountOf({ config }: LoadedSide, account: string): Json {
  const settings = config.accounts.find(({ name }) => name === account)
  return settings === undefined ? null : JSON.parse(JSON.stringify(settings))
}

/** The keys below an account that differ, as the file calls them. */
function keysOfAccounts(old: Json, other: Json, path: readonly string[] = []): readonly string[] {
  if (isDeepStrictEqual(old, other)) return []
  if (!isJsonObject(old) || !isJsonObject(other)) return [path.join('.')]
  const names = [...new Set([...Object.keys(old), ...Object.keys(other)])]
  return names.flatMap((name) => {
    const key = keyOf(name)
    if (path.length === 0 && REACHED_BY.has(key)) return []
    return keysOfAccounts(old[name] ?? null, other[name] ?? null, [...path, key])
  })
}

/** `milestoneGraceMs` is written `milestone_grace`. */
function keyOf(name: string): string {
  return name.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function childrenNamed(roots: readonly ConfigNode[], section: string): readonly string[] {
  const names = roots.flatMap((root) => {
    const node = childOf(root, section)
    return node?.kind === 'map' ? [...node.children.keys()] : []
  })
  return [...new Set(names)]
}

function isSameNode(roots: readonly ConfigNode[], path: readonly string[]): boolean {
  const [old, other] = roots.map((root) => {
    const holder = nodeAt(root, path.slice(0, -1))
    const node = childOf(holder, path.at(-1) ?? '')
    return node === undefined ? null : plainValue(node)
  })
  return isDeepStrictEqual(old, other)
}
