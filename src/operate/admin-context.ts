import type { Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import { configJsonSchema } from '../config/json-schema.ts'
import type { LiveConfig } from '../config/live-config.ts'
import type { Logger } from '../log.ts'
import { withOwned } from '../model/scope.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { AccessSettings, AdminActions, AdminContext, Asker, DemoFacts } from '../serve/admin-context.ts'
import type { ChangeFeed } from '../serve/stream/change-feed.ts'
import type { RuntimeActions } from '../serve/runtime-actions.ts'
import type { Readiness } from '../serve/readiness.ts'
import { readVersion } from '../version.ts'
import { adminActions, loggedActions } from './admin-actions.ts'
import { makerOf } from './runtime/owners.ts'
import { runtimeActions, type RuntimeActionParts } from './runtime/runtime-actions.ts'
import { pressButtons, showAcknowledged } from './press-buttons.ts'
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
  /** What the demo adds; left out: this is none. */
  readonly demo?: DemoFacts | undefined
  /** What is made at run time; left out: nothing is, this only looks. */
  readonly runtime?: Pick<RuntimeActionParts, 'follower'>
  /** Aborts when the service stops. */
  readonly signal: AbortSignal
}

/** Nothing is served then. */
const CLOSED: AccessSettings = { token: null, viewerToken: null, tokens: [], publicUrl: null }

/** The access as configured, with what the narrower tokens have made; made once for as long as neither changes. */
function accessWithOwned({ live, runtime }: Pick<AdminParts, 'live' | 'runtime'>): AdminContext['access'] {
  let known: { readonly by: readonly unknown[]; readonly access: AccessSettings } | null = null
  return () => {
    const configured = live.config.http ?? CLOSED
    const made = runtime?.follower.subscriptions ?? []
    const by = [configured, made, live.file]
    if (known?.by.every((each, nth) => each === by[nth]) === true) return known.access
    // A name that a file took since is the file's.
    const ofFile = new Set(live.file.subscriptions.map(({ name }) => name))
    const ofTokens = made.filter(({ endedAt, name, owner }) => endedAt === null && owner !== null && !ofFile.has(name))
    const owned = Map.groupBy(ofTokens, ({ owner }) => owner)
    const tokens = configured.tokens.map((token) => ({
      ...token,
      scope: (owned.get(token.name) ?? []).reduce((scope, { name }) => withOwned(scope, name), token.scope),
    }))
    known = { by, access: { ...configured, tokens } }
    return known.access
  }
}

const refuse = async (): Promise<never> =>
  await Promise.reject(new ShipbellError('internal', 'What only looks makes no subscription.'))
const LOOKING: RuntimeActions = { subscribe: refuse, alter: refuse, rotateSecret: refuse, unsubscribe: refuse }

/** What the admin interface is given by a service that holds the store's lock. */
export function adminContext(parts: AdminParts): AdminContext {
  const { live, clock, log, readiness, store } = parts
  const actions = adminActions(parts)
  const { runtime } = parts
  const ofAsker = (asker: Asker): RuntimeActions =>
    runtime === undefined ? LOOKING : runtimeActions({ ...parts, ...runtime }, makerOf(asker))
  const unshownOf = (asker: Asker): AdminActions => loggedActions({ ...actions, ...ofAsker(asker) }, { asker, log })
  const show = showAcknowledged(parts)
  const actionsOf = (asker: Asker): AdminActions => {
    const unshown = unshownOf(asker)
    const acknowledge: AdminActions['acknowledge'] = async (id, said) => {
      const exception = await unshown.acknowledge(id, said)
      show(exception)
      return exception
    }
    return { ...unshown, acknowledge }
  }
  return {
    clock,
    log,
    version: readVersion(),
    store,
    access: accessWithOwned(parts),
    accounts: () => live.config.accounts,
    subscriptions: () => live.config.subscriptions,
    configSchema: configJsonSchema,
    takesSubscriptions: () => live.file.runtimeSubscriptions !== null,
    callbackHosts: () => live.file.runtimeSubscriptions?.allow.hosts ?? [],
    readiness,
    budgetLeft: parts.budgetLeft,
    document: parts.document,
    demo: parts.demo ?? null,
    reports: adminReports(parts),
    sessions: store,
    actionsOf,
    pressed: pressButtons({ ...parts, actionsOf: unshownOf }),
    metrics: parts.metrics,
    reader: parts.reader ?? null,
    feed: parts.feed,
    signal: parts.signal,
  }
}
