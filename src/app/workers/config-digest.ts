import { hash } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Subscription } from '../../model/subscription.ts'

const LENGTH = 16

/** Stands for all of a configuration but what is each worker's own: storage, admin interface, log, and where its files lie. */
export function configDigest({ accounts, delivery, retention, subscriptions }: Config): string {
  return digest({ accounts, delivery, retention, subscriptions: subscriptions.map(plain) })
}

/** By the names of the subscriptions: what their settings and those of delivery amount to. */
export function settingsDigests({ delivery, subscriptions }: Config): Readonly<Record<string, string>> {
  return Object.fromEntries(subscriptions.map((each) => [each.name, digest({ delivery, subscription: plain(each) })]))
}

/** Templates are compiled from their texts. */
function plain(subscription: Subscription): object {
  const { channel } = subscription
  if (!('templates' in channel)) return subscription
  const templates = [...channel.templates].map(([type, { source }]) => [type, source])
  return { ...subscription, channel: { ...channel, templates } }
}

function digest(settings: object): string {
  return hash('sha256', JSON.stringify(settings)).slice(0, LENGTH)
}
