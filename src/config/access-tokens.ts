import { z } from 'zod'
import { ALL, type NarrowerToken, type Scope } from '../model/scope.ts'
import { childOf, entriesOf, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { NAME } from './names.ts'
import { problemAt, quoted, type Problem } from './problem.ts'
import { entries, issueOf } from './schema-parts.ts'
import { choice, filledList, text, token } from './values.ts'

const narrowerToken = z
  .strictObject({
    token: token.describe('What is shown; required.'),
    accounts: filledList(text, '[acme]').optional().describe('The accounts that it lets see, and nothing else.'),
    subscription: text.optional().describe('In place of `accounts`: the one subscription that it lets see.'),
    role: choice(['viewer', 'operator'])
      .prefault('viewer')
      .describe('With `accounts`: whether who shows it may only look, or also act on what it lets see.'),
  })
  .superRefine(({ accounts, role, subscription }, context) => {
    if (accounts === undefined && subscription === undefined) {
      const message = 'a token under `tokens` needs `accounts` or `subscription`: what it lets see'
      context.addIssue(issueOf(message, { rule: true }))
    }
    if (accounts !== undefined && subscription !== undefined) {
      const message = '`accounts` and `subscription` exclude each other: make two tokens'
      context.addIssue(issueOf(message, { key: 'subscription', at: 'key', rule: true }))
    }
    if (subscription !== undefined && role === 'operator') {
      const message =
        '`role: operator` is for tokens with `accounts`: one with `subscription` only reads and takes its feed'
      context.addIssue(issueOf(message, { key: 'role', rule: true }))
    }
  })

export const narrowerTokens = entries(narrowerToken, 'must be a mapping from names to tokens')
  .meta({ propertyNames: { pattern: NAME.source } })
  .prefault({})
  .describe('Tokens that let see less, by a name that says whose they are.')

type TokenKeys = z.output<typeof narrowerTokens>

export function tokensOf(keys: TokenKeys): readonly NarrowerToken[] {
  return Object.entries(keys).map(([name, { accounts, role, subscription, token: shown }]) => ({
    name,
    token: shown,
    role,
    scope: scopeOf(accounts, subscription),
  }))
}

function scopeOf(accounts: readonly string[] | undefined, subscription: string | undefined): Scope {
  if (subscription !== undefined) return { kind: 'subscription', subscription }
  return accounts === undefined ? ALL : { kind: 'accounts', accounts: [...new Set(accounts)] }
}

/** Names by which others are called in the log and in acknowledgements. */
const TAKEN = new Set(['cli', 'loopback', 'token'])
const FULL = ['token', 'viewer_token'] as const
/** A shorter one is guessed. */
const SHORTEST = 16

interface NamedToken {
  /** The key as it is called in messages. */
  readonly key: string
  readonly node: ConfigNode
}

/** The tokens that a file has, in its order of keys. */
function tokenNodes(root: ConfigNode): readonly NamedToken[] {
  const http = childOf(root, 'http')
  const full = FULL.map((key) => ({ key: key as string, node: childOf(http, key) }))
  const narrower = narrowerNodes(root).map(([name, each]) => ({
    key: `tokens.${name}.token`,
    node: childOf(each, 'token'),
  }))
  return [...full, ...narrower].flatMap(({ key, node }) => (node === undefined ? [] : [{ key, node }]))
}

function narrowerNodes(root: ConfigNode): readonly (readonly [string, ConfigNode])[] {
  return entriesOf(childOf(childOf(root, 'http'), 'tokens'))
}

/** What is wrong with the tokens of a file, each at its place. */
export function tokenProblems(root: ConfigNode): readonly Problem[] {
  return [...emptyTokens(root), ...equalTokens(root), ...takenNames(root)]
}

/** Tokens that are empty but by a default that says so: whoever wrote them means that there is one, and would have none. */
function emptyTokens(root: ConfigNode): readonly Problem[] {
  return FULL.flatMap((key) => {
    const node = childOf(childOf(root, 'http'), key)
    if (node?.kind !== 'scalar' || node.value !== '' || node.isDefault === true) return []
    return [problemAt(node.at, `\`${key}\` is empty: give it a value, or remove the line (\`\${VAR:-}\` may be empty)`)]
  })
}

/** Tokens that are the same as another one: nobody could say which is shown. The two full ones are compared by their schema. */
function equalTokens(root: ConfigNode): readonly Problem[] {
  const first = new Map<string, string>()
  return tokenNodes(root).flatMap(({ key, node }) => {
    if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return []
    const same = first.get(node.value)
    if (same === undefined) first.set(node.value, key)
    if (same === undefined || !key.startsWith('tokens.')) return []
    return [
      problemAt(
        node.at,
        `${quoted(key)} is the same as ${quoted(same)}, so that one lets see what the other hides: choose another`,
      ),
    ]
  })
}

function takenNames(root: ConfigNode): readonly Problem[] {
  return narrowerNodes(root).flatMap(([name, { keyAt }]) =>
    TAKEN.has(name)
      ? [problemAt(keyAt, `the name ${quoted(name)} stands for somebody else in the log: choose another`)]
      : [],
  )
}

/** `check` warns of tokens that can be guessed. */
export function shortTokens({ http }: Config, root: ConfigNode): readonly Problem[] {
  if (http === null) return []
  return tokenNodes(root).flatMap(({ key, node }) => {
    if (node.kind !== 'scalar' || typeof node.value !== 'string') return []
    if (node.value === '' || node.value.length >= SHORTEST) return []
    const message = `\`${key}\` has fewer than ${SHORTEST} characters, and can be guessed: \`openssl rand -hex 24\` makes one`
    return [problemAt(node.at, message, 'warning')]
  })
}
