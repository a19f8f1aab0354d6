import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { ShipbellError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { NO_ACCOUNT } from '../model/account.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import { watchedAs } from '../model/resource.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { Subscription } from '../model/subscription.ts'
import type { AdminActions, Asker, DeskStore, RetryChoice } from '../serve/admin-context.ts'
import type { RuntimeActions } from '../serve/runtime-actions.ts'
import type { Store } from '../store/ports/store.ts'
import { acknowledge } from './acknowledge.ts'
import { askProbes } from './asked-probes.ts'
import { awaitOutcome } from './await-outcome.ts'
import { disableEndpoint, discardHeld, enableEndpoint } from './change-endpoint.ts'
import { judgeHold } from './judge-hold.ts'
import { refusePulled, requireConfigured, requireEndpoint } from './require-endpoint.ts'
import { RetryAll } from './retry-all.ts'
import { whyShut } from '../report/endpoint.ts'
import { sentTest } from '../report/tested-delivery.ts'
import { retryRows, rowsNamed } from './retry-choice.ts'
import { takeFeed } from './take-feed.ts'
import { ringTest } from './ring-test.ts'
import { beginSnapshot, cancelSnapshot, countSnapshot, type SnapshotWork } from './snapshots.ts'

export interface ActionParts {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly store: DeskStore & Store
  readonly wake: () => void
  /** Hears what rings. */
  readonly telemetry: Pick<Telemetry, 'committed'>
  readonly signal: AbortSignal
}

/** How long a test waits, beyond the deadline of its attempt, for its turn. */
const TEST_PATIENCE_MS = 10_000

/** By the mechanisms that commands use. */
export function adminActions(parts: ActionParts): Omit<AdminActions, keyof RuntimeActions> {
  const { clock, store, signal, wake } = parts
  const change = (subscription: string) => ({ store, clock, signal, subscription })
  const woken = async <T>(work: Promise<T>): Promise<T> => await work.finally(wake)
  const all = new RetryAll(parts)
  return {
    retry: async (id) => await woken(retryNamed(parts, id)),
    countMatching: async (choice) => await all.count(choice),
    retryMatching: async (choice, options) => {
      await askProbes({ store, clock }, [choice.subscription])
      return await woken(all.retry(choice, options))
    },
    test: async (name, cut) => await test(parts, name, cut),
    enable: async (name) => {
      const endpoint = await requireConfigured(store, name)
      if (endpoint.runtime === null && !endpoint.enabled)
        throw wrongState(`${name} is disabled in the configuration (enabled: false): change it there.`)
      const shut = whyShut(endpoint)
      if (shut !== null) throw wrongState(`${name} ${shut}.`)
      return await woken(enableEndpoint(change(name), false))
    },
    disable: async (name) => {
      await requireConfigured(store, name)
      await woken(disableEndpoint(change(name), 'by the desk'))
    },
    discard: async (name) => {
      await requireEndpoint(store, name)
      return await woken(discardHeld(change(name)))
    },
    acknowledge: async (id, said) => await acknowledge({ clock, store }, id, said),
    takeFeed: async (subscription, position) => await takeFeed({ clock, store, subscription, position }),
    countSnapshot: async (subscription, only) => await countSnapshot(snapshots(parts), { subscription, only }),
    beginSnapshot: async (subscription, only) => await woken(beginSnapshot(snapshots(parts), { subscription, only })),
    cancelSnapshot: async (subscription) => await woken(cancelSnapshot(snapshots(parts), subscription)),
    judgeHold: async (hold, verdict) => {
      const judged = await judgeHold({ ...hold, store, clock, signal, verdict })
      const { account, resource } = hold
      if (judged !== null) return judged
      if (!parts.live.config.accounts.some((each) => each.name === account))
        throw new ShipbellError('not_found', `There is no account ${JSON.stringify(account)}.`)
      throw wrongState(`No removals of ${watchedAs(resource)} of account ${JSON.stringify(account)} are held.`)
    },
  }
}

function snapshots({ clock, live, store }: ActionParts): SnapshotWork {
  return { clock, store, config: live.config }
}

/** Sends rows again, by a row's id or an event's. Resolves to how many rows are pending by it. Throws `not_found` and `wrong_state`. */
export async function retryNamed(
  { clock, store, signal }: Pick<ActionParts, 'clock' | 'signal'> & { readonly store: Store },
  id: string,
): Promise<number> {
  const { rows } = await rowsNamed(store, [id])
  if (rows.length === 0) throw wrongState(`The payload of ${id} has expired: there is nothing left to send.`)
  const ids = rows.flatMap((row) => row.id ?? [])
  const pause = async (): Promise<void> => await clock.sleep(0, signal)
  const pending = await retryRows(store, ids, { at: clock.now(), delivered: true, pause })
  await askProbes(
    { store, clock },
    rows.map(({ subscription }) => subscription),
  )
  return pending
}

async function test(parts: ActionParts, name: string, cut: AbortSignal) {
  const { clock, live, signal, store, wake } = parts
  await requireConfigured(store, name)
  const subscription = requireSubscription(parts, name)
  refusePulled(subscription)
  const startedAt = clock.now()
  const { deliveries, event, row } = await ringTest(store, {
    name,
    subscriptions: live.config.subscriptions,
    at: startedAt,
  })
  const times = { startedAt, endedAt: clock.now() }
  parts.telemetry.committed({
    account: NO_ACCOUNT,
    events: [event],
    deliveries,
    exchanges: null,
    ...times,
    error: null,
  })
  wake()
  await awaitOutcome(store, {
    ids: [row],
    clock,
    signal: AbortSignal.any([signal, cut]),
    patienceMs: subscription.channel.timeoutMs + TEST_PATIENCE_MS,
    isSending: () => true,
  })
  const [sent] = await store.deliveries([row])
  return sent === undefined ? null : await sentTest(store, sent)
}

/** The settings of a subscription, as configured. */
function requireSubscription({ live }: ActionParts, name: string): Subscription {
  const subscription = live.config.subscriptions.find((each) => each.name === name)
  if (subscription !== undefined) return subscription
  throw wrongState(`${name} is not in the configuration.`)
}

function wrongState(message: string): ShipbellError {
  return new ShipbellError('wrong_state', message)
}

/** The actions, with one line for each that was done: who, what, on what. */
export function loggedActions(
  actions: AdminActions,
  { asker, log }: { readonly asker: Asker; readonly log: Logger },
): AdminActions {
  const say = (action: string, on: JsonObject): void => {
    log.info({ who: asker.name, role: asker.role, action, ...on }, 'admin.acted')
  }
  const logged = async <T>(action: string, on: JsonObject, work: Promise<T>): Promise<T> => {
    const result = await work
    say(action, on)
    return result
  }
  return {
    retry: async (id) => await logged('retry', { delivery: id }, actions.retry(id)),
    countMatching: async (choice) => await actions.countMatching(choice),
    // It takes long, and what is cut short or fails halfway was done as well: the line comes first.
    retryMatching: async (choice, options) => {
      say('retry', chosen(choice))
      return await actions.retryMatching(choice, options)
    },
    test: async (name, signal) => await logged('test', { subscription: name }, actions.test(name, signal)),
    enable: async (name) => await logged('enable', { subscription: name }, actions.enable(name)),
    disable: async (name) => await logged('disable', { subscription: name }, actions.disable(name)),
    discard: async (name) => await logged('discard', { subscription: name }, actions.discard(name)),
    acknowledge: async (id, said) =>
      await logged(said === null ? 'reopen' : 'acknowledge', { exception: id }, actions.acknowledge(id, said)),
    subscribe: async (keys) => {
      const made = await actions.subscribe(keys)
      if ('name' in made) say('subscribe', { subscription: made.name })
      return made
    },
    alter: async (name, keys) => {
      const altered = await actions.alter(name, keys)
      if ('name' in altered) say('alter', { subscription: name, keys: Object.keys(keys) })
      return altered
    },
    rotateSecret: async (name) => await logged('rotate', { subscription: name }, actions.rotateSecret(name)),
    unsubscribe: async (name) => await logged('unsubscribe', { subscription: name }, actions.unsubscribe(name)),
    takeFeed: async (name, position) =>
      await logged('take', { subscription: name, position }, actions.takeFeed(name, position)),
    countSnapshot: async (subscription, only) => await actions.countSnapshot(subscription, only),
    beginSnapshot: async (subscription, only) =>
      await logged(
        'snapshot',
        { subscription, ...(only && { resource: only }) },
        actions.beginSnapshot(subscription, only),
      ),
    cancelSnapshot: async (subscription) =>
      await logged('cancel_snapshot', { subscription }, actions.cancelSnapshot(subscription)),
    judgeHold: async (hold, verdict) => {
      const named = { account: hold.account, resource: watchedAs(hold.resource) }
      return await logged(verdict, named, actions.judgeHold(hold, verdict))
    },
  }
}

function chosen({ subscription, since, missing, only }: RetryChoice): JsonObject {
  const { account = null, cause = null, states = null } = only ?? {}
  const narrowed = { ...(account !== null && { account }), ...(cause !== null && { cause }), ...(states && { states }) }
  return { subscription, since: formatInstant(since), missing, ...narrowed }
}
