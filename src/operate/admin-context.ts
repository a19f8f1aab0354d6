import type { Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { Logger } from '../log.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { AccessSettings, AdminContext } from '../serve/admin-context.ts'
import type { ChangeFeed } from '../serve/stream/change-feed.ts'
import type { RuntimeActions } from '../serve/runtime-actions.ts'
import type { Readiness } from '../serve/readiness.ts'
import { readVersion } from '../version.ts'
import { adminActions, loggedActions } from './admin-actions.ts'
import { runtimeActions, type RuntimeActionParts } from './runtime/runtime-actions.ts'
import { adminReports } from './admin-reports.ts'
import type { OpenedStore } from './open-storage.ts'

export interface AdminParts {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly log: Logger
  readonly store: OpenedStore
  readonly readiness: () => Promise<Readiness>
  readonly budgetLeft: AdminContext['budgetLeft']
  readonly document: AdminContext['document']
  readonly metrics: AdminContext['metrics']
  readonly reader?: AdminContext['reader']
  readonly feed: ChangeFeed
  /** Rows or endpoints have changed: who delivers looks at once. */
  readonly wake: () => void
  readonly telemetry: Pick<Telemetry, 'committed'>
  readonly standingCode?: string | undefined
  /** What is made at run time; left out: nothing is, this only looks. */
  readonly runtime?: Pick<RuntimeActionParts, 'follower'>
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
}

/** Nothing is served then. */
const CLOSED: AccessSettings = { token: null, viewerToken: null, publicUrl: null }

/** Every token that may act may do everything. */
const ANYBODY = { owner: null, accounts: null }

const refuse = async (): Promise<never> =>
  await Promise.reject(new ShipbellError('internal', 'What only looks makes no subscription.'))
const LOOKING: RuntimeActions = { subscribe: refuse, alter: refuse, rotateSecret: refuse, unsubscribe: refuse }

/** What the admin interface is given by a service that holds the store's lock. */
export function adminContext(parts: AdminParts): AdminContext {
  const { live, clock, log, readiness, store } = parts
  const actions = adminActions(parts)
  const all = { ...actions, ...(parts.runtime ? runtimeActions({ ...parts, ...parts.runtime }, ANYBODY) : LOOKING) }
  return {
    clock,
    log,
    version: readVersion(),
    store,
    access: () => live.config.http ?? CLOSED,
    accounts: () => live.config.accounts,
    subscriptions: () => live.config.subscriptions,
    takesSubscriptions: () => live.file.runtimeSubscriptions !== null,
    readiness,
    budgetLeft: parts.budgetLeft,
    document: parts.document,
    standingCode: parts.standingCode,
    reports: adminReports(parts),
    sessions: store,
    actionsOf: (asker) => loggedActions(all, { asker, log }),
    metrics: parts.metrics,
    reader: parts.reader ?? null,
    feed: parts.feed,
    signal: parts.signal,
  }
}
