import path from 'node:path'
import type { AccountSettings, ListWatch } from '../model/account.ts'
import type { Subscription } from '../model/subscription.ts'
import { matchedTypes } from '../route/matches.ts'
import type { AccountKeys } from './account-keys.ts'
import type { ConfigKeys } from './config-keys.ts'
import type { Config } from './config.ts'
import { channelOf } from './channel-of.ts'
import { deepFreeze } from './deep-freeze.ts'
import type { SubscriptionKeys } from './subscription-keys.ts'
import { templatesByType } from './templates-by-type.ts'

/** The keys of the file as the rest of Shipbell knows them. `folder` is absolute: relative paths start there. */
export function assembleConfig(keys: ConfigKeys, file: string, folder: string): Config {
  return deepFreeze({
    file,
    accounts: [...keys.accounts].map(([name, account]) => accountSettings(name, account)),
    subscriptions: [...keys.subscriptions].map(([name, subscription]) =>
      subscriptionOf(name, subscription, { alert: keys.delivery.alert, server: keys.smtp ?? '' }),
    ),
    delivery: { allowNetworks: keys.delivery.allow_networks, retryMs: keys.delivery.retry },
    retention: { payloadsMs: keys.retention.payloads },
    storage: { path: path.resolve(folder, keys.storage.path) },
    http: keys.http === null ? null : { ...keys.http.listen, token: keys.http.token },
    log: keys.log,
  })
}

function accountSettings(name: string, keys: AccountKeys): AccountSettings {
  return {
    name,
    baseUrl: keys.base_url,
    apiKey: keys.api_key,
    timeZone: keys.time_zone,
    budget: {
      requests: keys.budget.requests,
      perMs: keys.budget.per,
      concurrency: keys.budget.concurrency,
      share: keys.budget.share,
    },
    timeoutMs: keys.timeout,
    settleMs: keys.settle,
    firstPoll: keys.first_poll,
    shipmentIdField: keys.shipment_id_field ?? null,
    watch: watchSettings(keys.watch),
  }
}

function watchSettings(watch: AccountKeys['watch']): AccountSettings['watch'] {
  const { shipments, tracking, invoices, documents, purchase_orders, locations, order_preparations } = watch
  return {
    ...(shipments && { shipments: { ...listWatch(shipments), milestoneGraceMs: shipments.milestone_grace } }),
    ...(tracking && { tracking: { ...listWatch(tracking), positions: tracking.positions } }),
    ...(invoices && { invoices: { ...listWatch(invoices), dueSoonMs: leadsOf(invoices.due_soon) } }),
    ...(documents && { documents: listWatch(documents) }),
    ...(purchase_orders && { purchase_orders: listWatch(purchase_orders) }),
    ...(locations && { locations: listWatch(locations) }),
    ...(order_preparations && {
      order_preparations: {
        ...listWatch(order_preparations),
        references: [...new Set(order_preparations.references)],
      },
    }),
  }
}

/** Longest first, each once: the order of the file means nothing. */
function leadsOf(leads: readonly number[]): readonly number[] {
  return [...new Set(leads)].toSorted((left, right) => right - left)
}

interface ListKeys {
  readonly every: number
  readonly weight: number
  readonly ignore: readonly string[]
}

function listWatch({ every, weight, ignore }: ListKeys): ListWatch {
  return { everyMs: every, weight, ignore }
}

function subscriptionOf(
  name: string,
  keys: SubscriptionKeys,
  { alert, server }: { readonly alert: string | undefined; readonly server: string },
): Subscription {
  const selection = { name, events: keys.events, accounts: keys.accounts ?? null, alert: name === alert }
  return {
    ...selection,
    enabled: keys.enabled,
    order: keys.order,
    rate: keys.rate === undefined ? null : { requests: keys.rate.requests, perMs: keys.rate.per },
    filter: keys.where ?? null,
    minShiftMs: keys.min_shift ?? null,
    channel: channelOf(keys, { server, templates: templatesByType(keys.template ?? [], matchedTypes(selection)) }),
  }
}
