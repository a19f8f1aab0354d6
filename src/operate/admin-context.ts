import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { Logger } from '../log.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { AccessSettings, AdminContext } from '../serve/admin-context.ts'
import type { ChangeFeed } from '../serve/stream/change-feed.ts'
import type { Readiness } from '../serve/readiness.ts'
import { readVersion } from '../version.ts'
import { adminActions, loggedActions } from './admin-actions.ts'
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
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
}

/** Nothing is served then. */
const CLOSED: AccessSettings = { token: null, viewerToken: null, publicUrl: null }

/** What the admin interface is given by a service that holds the store's lock. */
export function adminContext(parts: AdminParts): AdminContext {
  const { live, clock, log, readiness, store } = parts
  const actions = adminActions(parts)
  return {
    clock,
    log,
    version: readVersion(),
    store,
    access: () => live.config.http ?? CLOSED,
    accounts: () => live.config.accounts,
    subscriptions: () => live.config.subscriptions,
    readiness,
    budgetLeft: parts.budgetLeft,
    document: parts.document,
    standingCode: parts.standingCode,
    reports: adminReports(parts),
    sessions: store,
    actionsOf: (asker) => loggedActions(actions, { asker, log }),
    metrics: parts.metrics,
    reader: parts.reader ?? null,
    feed: parts.feed,
    signal: parts.signal,
  }
}
