import { childOf, type ConfigNode } from './config-node.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted, type Problem } from './problem.ts'

/** Accounts that subscriptions name and the file does not have; judged even where other keys are wrong. */
export function unknownAccounts(root: ConfigNode): readonly Problem[] {
  const accounts = childOf(root, 'accounts')
  const subscriptions = childOf(root, 'subscriptions')
  if (accounts?.kind !== 'map' || subscriptions?.kind !== 'map') return []
  const known = [...accounts.entries.keys()]
  return [...subscriptions.entries.values()].flatMap((subscription) => {
    const named = childOf(subscription, 'accounts')
    if (named?.kind !== 'list') return []
    return named.items
      .filter((item) => item.kind === 'scalar' && !known.includes(String(item.value)))
      .map((item) => unknown(item, known))
  })
}

function unknown(item: ConfigNode, known: readonly string[]): Problem {
  const name = item.kind === 'scalar' && item.literal ? String(item.value) : undefined
  const nearest = name === undefined ? undefined : nearestName(name, known)
  const hint = nearest === undefined ? `the accounts here are ${known.join(', ')}` : `did you mean \`${nearest}\`?`
  return problemAt(
    item.at,
    name === undefined ? `no account has this name: ${hint}` : `no account is named ${quoted(name)}: ${hint}`,
  )
}
