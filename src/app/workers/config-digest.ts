import { hash } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Subscription } from '../../model/subscription.ts'

const LENGTH = 16

/** Stands for all of a configuration but what is each worker's own: storage, admin interface, log, and where its files lie. */
export function configDigest(config: Config): string {
  const { accounts, delivery, retention, runtimeSubscriptions, subscriptions } = config
  return digest({ accounts, delivery, retention, runtimeSubscriptions, subscriptions: subscriptions.map(plain) })
}

/** Stands for the settings of subscriptions that are made at run time, which no file names: no subscription has it for a name. */
export const MADE_AT_RUN_TIME = ''

/** By the names of the subscriptions: what their settings and those of delivery amount to. */
export function settingsDigests(config: Config): Readonly<Record<string, string>> {
  const { delivery, runtimeSubscriptions, subscriptions } = config
  return Object.fromEntries([
    ...subscriptions.map((each) => [each.name, digest({ delivery, subscription: plain(each) })]),
    [MADE_AT_RUN_TIME, digest({ delivery, runtimeSubscriptions })],
  ])
}

/** Templates are compiled from their texts, and where its own admin interface is reached is each worker's own. */
function plain(subscription: Subscription): object {
  const { channel } = subscription
  if ('publicUrl' in channel) return { ...subscription, channel: { ...channel, publicUrl: undefined } }
  if (!('templates' in channel)) return subscription
  const templates = [...channel.templates].map(([type, { source }]) => [type, source])
  return { ...subscription, channel: { ...channel, templates } }
}

function digest(settings: object): string {
  return hash('sha256', JSON.stringify(settings)).slice(0, LENGTH)
}
