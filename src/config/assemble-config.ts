import path from 'node:path'
import type { AccountSettings, ListWatch } from '../model/account.ts'
import type { Subscription, TlsSettings } from '../model/subscription.ts'
import type { AccountKeys } from './account-keys.ts'
import type { ConfigKeys } from './config-keys.ts'
import type { Config } from './config.ts'
import { deepFreeze } from './deep-freeze.ts'
import type { SubscriptionKeys } from './subscription-keys.ts'

/** The keys of the file as the rest of Shipbell knows them. `folder` is absolute: relative paths start there. */
export function assembleConfig(keys: ConfigKeys, file: string, folder: string): Config {
  return deepFreeze({
    file,
    accounts: [...keys.accounts].map(([name, account]) => accountSettings(name, account)),
    subscriptions: [...keys.subscriptions].map(([name, subscription]) =>
      subscriptionOf(name, subscription, keys.delivery.alert),
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
    budget: { requests: keys.budget.requests, perMs: keys.budget.per, concurrency: keys.budget.concurrency },
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

function listWatch({ every, ignore }: { readonly every: number; readonly ignore: readonly string[] }): ListWatch {
  return { everyMs: every, ignore }
}

function subscriptionOf(name: string, keys: SubscriptionKeys, alert: string | undefined): Subscription {
  return {
    name,
    events: keys.events,
    accounts: keys.accounts ?? null,
    enabled: keys.enabled,
    order: keys.order,
    rate: keys.rate === undefined ? null : { requests: keys.rate.requests, perMs: keys.rate.per },
    alert: name === alert,
    filter: keys.where ?? null,
    minShiftMs: keys.min_shift ?? null,
    channel: {
      kind: 'webhook',
      url: keys.url.value,
      secrets: keys.secret,
      headers: keys.headers.value,
      drawn: [...keys.url.drawn, ...keys.headers.drawn],
      payload: keys.payload,
      format: keys.format,
      tls: keys.tls === undefined ? null : tlsSettings(keys.tls),
      timeoutMs: keys.timeout,
      concurrency: keys.concurrency,
    },
  }
}

function tlsSettings({ ca, cert, key }: Exclude<SubscriptionKeys['tls'], undefined>): TlsSettings {
  return { ca: ca ?? null, cert: cert ?? null, key: key ?? null }
}
