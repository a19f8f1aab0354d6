import type { AccountSettings } from '../model/account.ts'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import type { EventTypeInfo } from '../model/event-type-info.ts'
import { RECORD_OF, WATCHABLES, type Watchable } from '../model/resource.ts'
import type { Subscription } from '../model/subscription.ts'
import { matchesPatterns } from '../route/matches.ts'
import { nodeAt, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { problemAt, quoted, type Problem } from './problem.ts'

/** Event patterns of which nothing can come, because no account that is heard watches what they are about. */
export function watchWarnings({ accounts, subscriptions }: Config, root: ConfigNode): readonly Problem[] {
  const named = subscriptions.flatMap((subscription) =>
    subscription.events.map((pattern, index) => ({
      pattern,
      subscription,
      node: nodeAt(root, ['subscriptions', subscription.name, 'events', String(index)]),
    })),
  )
  return [...Map.groupBy(named, ({ node }) => node)].flatMap(([node, group]) => {
    const { pattern } = group[0] ?? { pattern: '' }
    const watched = watchedBy(accounts, group)
    const needed = neededFor(pattern)
    if (watched.size === 0 || needed.length === 0 || needed.some((watchable) => watched.has(watchable))) return []
    const [first = ''] = needed
    const message = `${quoted(pattern)} never comes, because no account that is heard watches \`${first}\`: add \`${first}: {}\` to its \`watch\`, or remove the pattern`
    return [problemAt(node.at, message, 'warning')]
  })
}

/** What one of these subscriptions hears of; nothing where its accounts watch nothing, which is said of them. */
function watchedBy(
  accounts: readonly AccountSettings[],
  group: readonly { readonly subscription: Subscription }[],
): ReadonlySet<string> {
  const isHeard = (name: string): boolean =>
    group.some(({ subscription }) => subscription.accounts?.includes(name) ?? true)
  return new Set(accounts.filter(({ name }) => isHeard(name)).flatMap(({ watch }) => Object.keys(watch)))
}

/** What must be watched for any event of a pattern; nothing where some come without. */
function neededFor(pattern: string): readonly Watchable[] {
  const infos: readonly EventTypeInfo[] = EVENT_CATALOGUE.filter(({ type }) => matchesPatterns([pattern], type))
  const resources = infos.flatMap(({ others = [], resource }) => [resource, ...others])
  const needed = resources.flatMap((resource) => WATCHABLES.find((name) => RECORD_OF[name] === resource) ?? [])
  return needed.length < resources.length ? [] : [...new Set(needed)]
}
