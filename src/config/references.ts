import type { ChannelSettings } from '../model/subscription.ts'
import type { KindRules } from './channel-kind.ts'
import { CHANNEL_KINDS } from './channel-kinds.ts'
import { childOf, type ConfigNode } from './config-node.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted, type Problem } from './problem.ts'

/** Names that the file gives and does not have; judged even where other keys are wrong. */
export function unknownNames(root: ConfigNode): readonly Problem[] {
  return [...unknownAccounts(root), ...unknownAlert(root), ...missingServices(root)]
}

/** `delivery.alert` that is no subscription. */
function unknownAlert(root: ConfigNode): readonly Problem[] {
  const alert = childOf(childOf(root, 'delivery'), 'alert')
  const subscriptions = childOf(root, 'subscriptions')
  if (alert?.kind !== 'scalar' || typeof alert.value !== 'string' || alert.value === '') return []
  const known = subscriptions?.kind === 'map' ? [...subscriptions.entries.keys()] : []
  return known.includes(alert.value) ? [] : [unknown(alert, 'subscription', known)]
}

/** Channels without the key of the top level that they need; each told once. */
function missingServices(root: ConfigNode): readonly Problem[] {
  const subscriptions = childOf(root, 'subscriptions')
  if (subscriptions?.kind !== 'map') return []
  const rules: readonly Pick<KindRules<ChannelSettings>, 'chosenBy' | 'relies'>[] = Object.values(CHANNEL_KINDS)
  return rules.flatMap(({ chosenBy, relies }) => {
    if (relies === undefined || childOf(root, relies.key) !== undefined) return []
    const chosen = [...subscriptions.entries.values()].flatMap((each) =>
      Object.keys(chosenBy).flatMap((key) => childOf(each, key) ?? []),
    )
    return chosen.slice(0, 1).map(({ keyAt }) => problemAt(keyAt, relies.message))
  })
}

function unknownAccounts(root: ConfigNode): readonly Problem[] {
  const accounts = childOf(root, 'accounts')
  const subscriptions = childOf(root, 'subscriptions')
  if (accounts?.kind !== 'map' || subscriptions?.kind !== 'map') return []
  const known = [...accounts.entries.keys()]
  return [...subscriptions.entries.values()].flatMap((subscription) => {
    const named = childOf(subscription, 'accounts')
    if (named?.kind !== 'list') return []
    return named.items
      .filter((item) => item.kind === 'scalar' && !known.includes(String(item.value)))
      .map((item) => unknown(item, 'account', known))
  })
}

function unknown(item: ConfigNode, what: 'account' | 'subscription', known: readonly string[]): Problem {
  const name = item.kind === 'scalar' && item.literal ? String(item.value) : undefined
  const which = name === undefined ? `no ${what} has this name` : `no ${what} is named ${quoted(name)}`
  return problemAt(item.at, `${which}: ${hint(name, what, known)}`)
}

function hint(name: string | undefined, what: string, known: readonly string[]): string {
  if (known.length === 0) return `there is no ${what} here`
  const nearest = name === undefined ? undefined : nearestName(name, known)
  return nearest === undefined ? `the ${what}s here are ${known.join(', ')}` : `did you mean \`${nearest}\`?`
}
