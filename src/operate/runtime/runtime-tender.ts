import type { Clock } from '../../clock.ts'
import type { LiveConfig } from '../../config/live-config.ts'
import { ShipbellError } from '../../errors.ts'
import { fateOf, isTestDue } from '../../ledger/runtime-subscriptions.ts'
import type { Logger } from '../../log.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { RuntimeDisabling, RuntimeSubscription } from '../../model/runtime-subscription.ts'
import type { Telemetry } from '../../model/telemetry.ts'
import type { Store } from '../../store/ports/store.ts'
import { WakeSignal } from '../../wake-signal.ts'
import { discardHeld } from '../change-endpoint.ts'
import { ringTest } from '../ring-test.ts'
import type { RuntimeFollower } from './runtime-follower.ts'

export interface RuntimeTenderDeps {
  readonly live: LiveConfig
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly follower: RuntimeFollower
  /** Whether the configuration of this process is in force for all. */
  readonly isInForce: () => boolean
  /** How many processes send. */
  readonly processes: () => number
  /** Rows are to be sent. */
  readonly wake: () => void
  /** Hears what rings. */
  readonly telemetry: Pick<Telemetry, 'committed'>
}

const LOOK_EVERY_MS = 1_000
/** How long whoever asked takes to have the secret that a test is signed with. */
const TOLD_MS = 1_000
/** How long all processes take to follow: one that does not yet would send the test to the address that it knew before. */
const FOLLOWED_MS = 3_000
/** For so long others may still make rows for one that ended. */
const STRAGGLE_MS = 60_000
const FORGET_EVERY_MS = 600_000
/** Tests of one that is not verified: more are not looked at. */
const MOST_TESTS = 100

/** What becomes of subscriptions made at run time without anybody doing it: they are tested, verified, disabled, and end. */
export class RuntimeTender {
  readonly #deps: RuntimeTenderDeps
  readonly #wake = new WakeSignal()
  /** The subscriptions that ended and whose last rows were discarded, by name and when. */
  readonly #swept = new Set<string>()
  #forgetAt = 0

  constructor(deps: RuntimeTenderDeps) {
    this.#deps = deps
  }

  /** A test may have been answered. */
  settled(): void {
    if (this.#deps.follower.subscriptions.some(isUnverified)) this.#wake.notify()
  }

  /** Follows what others change, until `signal` aborts. Never throws: what fails is tried again. */
  async follow(signal: AbortSignal): Promise<void> {
    await this.#each(signal, async () => {
      await this.#deps.follower.look()
      if (this.#deps.isInForce()) await this.#judge()
    })
  }

  /** Does what one process does for all, until `signal` aborts. Never throws. */
  async tend(signal: AbortSignal): Promise<void> {
    await this.#each(signal, async () => await this.#tendAll(signal))
  }

  async #each(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const { clock, log } = this.#deps
    let hasFailed = false
    while (!signal.aborted) {
      try {
        await work()
        hasFailed = false
      } catch (error) {
        if (!hasFailed && !signal.aborted) log.error({ error: String(error), next: 'retry' }, 'subscriptions.stalled')
        hasFailed = true
      }
      await this.#wake.wait(clock, LOOK_EVERY_MS, signal)
    }
  }

  /** Has the store know what the configuration says of each, where that is something else. */
  async #judge(): Promise<void> {
    const { clock, follower, log, store } = this.#deps
    const verdicts = follower.verdicts()
    const differing = follower.subscriptions.filter((row) => isJudgedAnew(row, verdicts.get(row.name)))
    if (differing.length === 0) return
    const judged = new Map(differing.map(({ name }) => [name, verdicts.get(name) ?? null]))
    await store.changeRuntime({ kind: 'judge', verdicts: judged, at: clock.now() })
    for (const [subscription, verdict] of judged) {
      if (verdict === null) log.info({ subscription }, 'subscription.enabled')
      else log.warn({ subscription, reason: verdict.reason }, 'subscription.disabled')
    }
    await follower.look()
  }

  async #tendAll(signal: AbortSignal): Promise<void> {
    const { clock, follower, live, store } = this.#deps
    const now = clock.now()
    const ttlMs = live.file.runtimeSubscriptions?.ttlMs ?? 0
    for (const row of follower.subscriptions) {
      if (signal.aborted) return
      if (row.endedAt !== null) await this.#sweep(row, signal)
      else if (fateOf(row, ttlMs, now) === 'ends') await this.#end(row, signal)
      else if (isUnverified(row)) await this.#verify(row)
    }
    if (now < this.#forgetAt) return
    this.#forgetAt = now + FORGET_EVERY_MS
    if (follower.subscriptions.some(({ endedAt }) => endedAt !== null))
      await store.changeRuntime({ kind: 'forget', at: now })
  }

  /** Rows that others made before they knew that it has ended are discarded, too. */
  async #sweep({ endedAt, name }: RuntimeSubscription, signal: AbortSignal): Promise<void> {
    const { clock, store } = this.#deps
    const key = `${name} ${endedAt ?? ''}`
    const age = clock.now() - (endedAt ?? 0)
    if (this.#swept.has(key) || age < FOLLOWED_MS) return
    const { items } = await store.deliveryPage({ subscription: name, states: ['pending', 'held'], limit: 1 })
    if (items.length > 0) await discardHeld({ store, clock, signal, subscription: name })
    if (age > STRAGGLE_MS) this.#swept.add(key)
  }

  async #end({ name, revision, verifiedAt }: RuntimeSubscription, signal: AbortSignal): Promise<void> {
    const { clock, follower, log, store } = this.#deps
    if ((await store.changeRuntime({ kind: 'end', name, from: revision, at: clock.now() })) !== null) return
    const reason = verifiedAt === null ? 'no test of it was answered within the hour' : 'nobody renewed it'
    log.warn({ subscription: name, reason }, 'subscription.ended')
    await discardHeld({ store, clock, signal, subscription: name })
    await follower.look()
  }

  /** Looks what came of the tests of one that is not verified, and rings the next. */
  async #verify(row: RuntimeSubscription): Promise<void> {
    const { clock, follower, log, store } = this.#deps
    const { addressedAt, name } = row
    const asked = { subscription: name, since: addressedAt, limit: MOST_TESTS }
    const { items } = await store.deliveryPage({ ...asked, states: ['pending', 'delivered', 'exhausted'] })
    const tests = items.filter(({ type }) => type === 'shipbell.test')
    if (tests.some(({ state }) => state === 'delivered')) {
      const refusal = await store.changeRuntime({ kind: 'verify', name, addressedAt, at: clock.now() })
      if (refusal === null) log.info({ subscription: name }, 'subscription.verified')
      await follower.look()
    } else if (tests.every(({ state }) => state === 'exhausted') && (await this.#isDue(row, tests[0]?.eventId)))
      await this.#ring(name)
  }

  /** A test is one attempt: the next one is rung when the schedule of deliveries would have it tried again. `newest`: the last test. */
  async #isDue({ addressedAt }: RuntimeSubscription, newest: string | undefined): Promise<boolean> {
    const { clock, live, processes, store } = this.#deps
    const { retryMs } = live.file.delivery
    const firstMs = processes() === 1 ? TOLD_MS : FOLLOWED_MS
    const lastTestAt = newest === undefined ? null : ((await store.event(newest))?.timestamp ?? clock.now())
    return isTestDue({ addressedAt, firstMs, lastTestAt, retryMs }, clock.now())
  }

  async #ring(name: string): Promise<void> {
    const { clock, live, store, telemetry, wake } = this.#deps
    const { subscriptions } = live.config
    // Only who has its address rings: a test that nobody sends would wait for nothing.
    if (subscriptions.every((each) => each.name !== name)) return
    const startedAt = clock.now()
    const { deliveries, event } = await ringTest(store, { name, subscriptions, at: startedAt })
    const times = { startedAt, endedAt: clock.now() }
    telemetry.committed({ account: NO_ACCOUNT, events: [event], deliveries, exchanges: null, ...times, error: null })
    wake()
  }
}

function isUnverified({ disabledBy, endedAt, verifiedAt }: RuntimeSubscription): boolean {
  return endedAt === null && verifiedAt === null && disabledBy === null
}

/** A name that the file had stays disabled until somebody changes it. */
function isJudgedAnew(row: RuntimeSubscription, verdict: RuntimeDisabling | null | undefined): boolean {
  if (row.endedAt !== null || row.disabledBy === 'file' || verdict === undefined) return false
  return row.disabledBy !== (verdict?.by ?? null) || row.disabledReason !== (verdict?.reason ?? null)
}

/** The key of the configuration has to open what is stored: `config_invalid` names it, and never shows it. */
export function keyRefusal(file: string): ShipbellError {
  const problem =
    '`runtime_subscriptions.key` does not open the subscriptions that are stored: give it the key they were made with'
  return new ShipbellError('config_invalid', `${file}: ${problem}, or end them first.`)
}
