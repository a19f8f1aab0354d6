import { loadConfig, type LoadOptions } from '../../config/load-config.ts'
import { errorLines } from '../../config/problem.ts'
import { targetOf } from '../../config/unresolved.ts'
import { ShipbellError } from '../../errors.ts'
import { messageContext } from '../message-context.ts'
import type { SubscriptionPair, SubscriptionSide } from './compared-subscription.ts'
import { untriedKeys, type LoadedSide } from './untried-keys.ts'

export interface ComparedFiles {
  /** The subscriptions of both files, those of the newer one first, in its order. */
  readonly pairs: readonly SubscriptionPair[]
  /** The keys that differ and cannot be tried. */
  readonly untried: readonly string[]
}

/** Reads two configurations without their secrets. Throws `config_invalid` with every error of both. */
export function compareFiles(oldFile: string, newFile: string, options: LoadOptions): ComparedFiles {
  const asked = { ...options, withoutSecrets: true, withoutWarnings: true } as const
  const [before, after] = [loadConfig(oldFile, asked), loadConfig(newFile, asked)]
  const [old, other] = [sideOf(before), sideOf(after)]
  if (old === null || other === null) {
    const errors = [...errorLines(before.problems), ...errorLines(after.problems)]
    throw new ShipbellError('config_invalid', [...new Set(errors)].join('\n'))
  }
  // What the file says beside its subscriptions is not compared: links are those of the newer one.
  const links = messageContext(() => other.config).links
  const [oldSides, newSides] = [subscriptionsOf(old, links), subscriptionsOf(other, links)]
  const names = new Set([...newSides.keys(), ...oldSides.keys()])
  const pairs = [...names].map((name) => ({
    name,
    old: oldSides.get(name) ?? null,
    new: newSides.get(name) ?? null,
  }))
  return { pairs, untried: untriedKeys(old, other) }
}

function sideOf({ config, root }: ReturnType<typeof loadConfig>): LoadedSide | null {
  return config === null || root === null ? null : { config, root }
}

function subscriptionsOf(
  { config, root }: LoadedSide,
  links: SubscriptionSide['context']['links'],
): ReadonlyMap<string, SubscriptionSide> {
  const { zoneOf } = messageContext(() => config)
  return new Map(
    config.subscriptions.map((subscription) => {
      const { channel, name } = subscription
      return [name, { subscription, channel, target: targetOf(root, name), context: { links, zoneOf } }]
    }),
  )
}
