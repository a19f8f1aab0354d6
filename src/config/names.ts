import { CHANNEL_KINDS, type AnyRules } from './channel-kinds.ts'
import { childOf, entriesOf, isLiteral, type ConfigNode } from './config-node.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted, type Problem } from './problem.ts'

/** What every channel bears: as a channel of Svix, in a subject, in a URL, as a label of a metric. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/
const RULE = 'lower-case letters, digits, `_` and `-`, a letter or digit first, 64 at most'

/** Accounts, subscriptions, expectations and tokens whose names cannot be. */
export function badNames(root: ConfigNode): readonly Problem[] {
  const tokens = entriesOf(childOf(childOf(root, 'http'), 'tokens'))
  return ['accounts', 'subscriptions', 'expectations']
    .flatMap((key) => entriesOf(childOf(root, key)))
    .concat(tokens)
    .filter(([name]) => !NAME.test(name))
    .map(([name, { keyAt }]) => problemAt(keyAt, `the name ${quoted(name)} must be ${RULE}`))
}

/** Names that the file gives and does not have; judged even where other keys are wrong. */
export function unknownNames(root: ConfigNode): readonly Problem[] {
  return [...unknownAccounts(root), ...unknownSubscriptions(root), ...missingServices(root)]
}

/** `delivery.alert` and `subscription` of a token that are no subscription. */
function unknownSubscriptions(root: ConfigNode): readonly Problem[] {
  const known = entriesOf(childOf(root, 'subscriptions')).map(([name]) => name)
  const tokens = entriesOf(childOf(childOf(root, 'http'), 'tokens')).map(([, each]) => childOf(each, 'subscription'))
  return [childOf(childOf(root, 'delivery'), 'alert'), ...tokens].flatMap((node) => {
    if (node?.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return []
    return known.includes(node.value) ? [] : [unknown(node, 'subscription', known)]
  })
}

/** Channels without the key of the top level that they need; each reported once. */
function missingServices(root: ConfigNode): readonly Problem[] {
  const subscriptions = entriesOf(childOf(root, 'subscriptions'))
  const rules = Object.values<AnyRules>(CHANNEL_KINDS)
  return rules.flatMap(({ chosenBy, relies }) => {
    if (relies === undefined || childOf(root, relies.key) !== undefined) return []
    const chosen = subscriptions.flatMap(([, each]) => Object.keys(chosenBy).flatMap((key) => childOf(each, key) ?? []))
    return chosen.slice(0, 1).map(({ keyAt }) => problemAt(keyAt, relies.message))
  })
}

function unknownAccounts(root: ConfigNode): readonly Problem[] {
  const accounts = childOf(root, 'accounts')
  if (accounts?.kind !== 'map') return []
  const known = [...accounts.children.keys()]
  const names = new Set(known)
  const tokens = entriesOf(childOf(childOf(root, 'http'), 'tokens'))
  const naming = ['subscriptions', 'expectations'].flatMap((key) => entriesOf(childOf(root, key))).concat(tokens)
  const allowed = childOf(childOf(root, 'runtime_subscriptions'), 'allow')
  return [...naming.map(([, each]) => each), allowed].flatMap((each) => {
    const named = childOf(each, 'accounts')
    if (named?.kind !== 'list') return []
    return [...named.children.values()]
      .filter((item) => item.kind === 'scalar' && !names.has(String(item.value)))
      .map((item) => unknown(item, 'account', known))
  })
}

function unknown(item: ConfigNode, what: 'account' | 'subscription', known: readonly string[]): Problem {
  const name = isLiteral(item) ? String(item.value) : undefined
  const which = name === undefined ? `no ${what} has this name` : `no ${what} is named ${quoted(name)}`
  return problemAt(item.at, `${which}: ${hint(name, what, known)}`)
}

const MOST_LISTED = 12

/** Names in a message, or the first of them. */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED
  return more > 1 ? `${names.slice(0, MOST_LISTED).join(', ')} and ${more} more` : names.join(', ')
}

function hint(name: string | undefined, what: string, known: readonly string[]): string {
  if (known.length === 0) return `there is no ${what} here`
  const nearest = name === undefined ? undefined : nearestName(name, known)
  return nearest === undefined ? `the ${what}s here are ${listed(known)}` : `did you mean \`${nearest}\`?`
}
