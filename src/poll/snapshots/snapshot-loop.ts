import type { Clock } from '../../clock.ts'
import { ShipbellError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { AccountSettings } from '../../model/account.ts'
import { snapshotSums, type SnapshotProgress, type SnapshotStanding } from '../../model/snapshot-run.ts'
import type { Subscription } from '../../model/subscription.ts'
import { fateOfRun, isRoutedByAll, sliceRestMs } from '../../route/snapshot-run.ts'
import type { SnapshotStore } from '../../store/ports/snapshot-port.ts'
import { WakeSignal } from '../../wake-signal.ts'
import type { AccountSnapshots } from './account-snapshots.ts'

/*
 * How a subscription is sent every known record. A run is a row, begun with its subscription or by a command. Each process that polls looks
 * for runs every second and sends the records of the accounts that it polls, slice by slice: the events and rows of a slice are committed
 * together with how far its part is, under the account's lease, so that a process that dies leaves either both or neither, and whoever polls
 * the account next goes on. A slice is made only where its rows can be sent at once, and the loop rests longer than it works: live rows, of
 * whichever subscription, go first.
 */

export interface SnapshotLoopDeps {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly log: Logger
  readonly subscriptions: () => readonly Subscription[]
  /** The accounts that are configured, whoever polls them. */
  readonly accounts: () => readonly AccountSettings[]
  /** The accounts that are polled here. */
  readonly polled: () => readonly AccountSnapshots[]
  /** Whether what this process loaded is in force for all. */
  readonly isInForce: () => boolean
  /** How many processes work on the store. */
  readonly processes: () => number
}

const LOOK_EVERY_MS = 1_000
/** The shortest rest between slices. */
const REST_MS = 10
/** How many times as long as it worked the loop rests. */
const RESTS = 2
/** How soon a subscription is looked at again that had no room; twice as long each time, up to a second. */
const NO_ROOM_MS = 50
/** What had no room for longer than that does not wait for rows that are settled. */
const WAITS_FOR_ROWS_MS = 400

/** A run, with what is left of it here. */
interface Left {
  readonly standing: SnapshotStanding
  readonly subscription: Subscription
  /** The parts of accounts that are polled here, the next one first. */
  readonly parts: SnapshotProgress[]
  readonly pace: Pace
}

/** When a subscription is sent the next slice, by the steady clock. */
interface Pace {
  /** Half of the rate is used up until then. */
  restsUntil: number
  /** A subscription without room is not looked at again before then. */
  fullUntil: number
  /** How long a subscription was left alone last, as it had no room; 0: it had. */
  fullMs: number
}

/** Sends what runs are to send of the accounts that this process polls. */
export class SnapshotLoop {
  readonly #deps: SnapshotLoopDeps
  readonly #wake = new WakeSignal()
  #runs: readonly Left[] = []
  /** The paces of subscriptions, by name. */
  #paces: ReadonlyMap<string, Pace> = new Map()
  #lookAt = 0

  constructor(deps: SnapshotLoopDeps) {
    this.#deps = deps
  }

  /** Rows were settled: there may be room for others. */
  settled(): void {
    if (this.#runs.length === 0) return
    for (const { pace } of this.#runs) if (pace.fullMs <= WAITS_FOR_ROWS_MS) pace.fullUntil = 0
    this.#wake.notify()
  }

  /** A run was begun or ended, or there are other subscriptions. */
  wake(): void {
    this.#lookAt = 0
    this.#wake.notify()
  }

  /** Goes on until `signal` aborts. Never throws: what fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps
    let hasFailed = false
    while (!signal.aborted) {
      let pauseMs = LOOK_EVERY_MS
      try {
        const sent = await this.#round(signal, false)
        if (this.#runs.length > 0) pauseMs = sent > 0 ? 0 : NO_ROOM_MS
        hasFailed = false
      } catch (error) {
        if (!hasFailed && !signal.aborted) log.error({ error: String(error), next: 'retry' }, 'snapshots.stalled')
        hasFailed = true
        this.#lookAt = 0
      }
      await clock.sleep(REST_MS, signal)
      await this.#wake.wait(clock, Math.max(pauseMs - REST_MS, 0), signal)
    }
  }

  /** Sends all that can be sent now, however many rows wait. */
  async settle(signal: AbortSignal): Promise<void> {
    this.#lookAt = 0
    while (!signal.aborted && (await this.#round(signal, true)) > 0);
    this.#lookAt = 0
    await this.#look()
  }

  /** One slice of each run. Resolves to how many were sent. */
  async #round(signal: AbortSignal, isForced: boolean): Promise<number> {
    const { clock } = this.#deps
    if (clock.monotonic() >= this.#lookAt) await this.#look()
    let sent = 0
    for (const left of this.#runs) {
      if (signal.aborted) return sent
      const startedAt = clock.monotonic()
      const { fullUntil, restsUntil } = left.pace
      if (!isForced && startedAt < Math.max(fullUntil, restsUntil)) continue
      if (!(await this.#send(left, isForced))) continue
      sent += 1
      const restMs = Math.min(RESTS * (clock.monotonic() - startedAt), LOOK_EVERY_MS)
      if (!isForced && restMs > 0) await clock.sleep(restMs, signal)
    }
    return sent
  }

  /** Looks which runs are under way, and ends those that are at their end. */
  async #look(): Promise<void> {
    const { accounts, clock, isInForce, polled, processes, store, subscriptions } = this.#deps
    this.#lookAt = clock.monotonic() + LOOK_EVERY_MS
    const standings = await store.snapshotRuns({ which: 'under way' })
    this.#runs = []
    if (standings.length === 0 || !isInForce()) return
    const known = new Map(subscriptions().map((each) => [each.name, each]))
    const here = new Set(polled().map(({ account }) => account))
    const runs: Left[] = []
    for (const standing of standings) {
      const subscription = known.get(standing.subscription)
      const fate = fateOfRun(standing, subscription, accounts())
      if (fate === 'ended' || fate === 'cancelled') {
        await this.#end(standing, fate)
        continue
      }
      const parts = fate.filter(({ account }) => here.has(account))
      const routed = { isInForce: isInForce(), now: clock.now(), processes: processes() }
      if (subscription !== undefined && parts.length > 0 && isRoutedByAll(standing, routed))
        runs.push({ standing, subscription, parts, pace: this.#paces.get(standing.subscription) ?? newPace() })
    }
    this.#runs = runs
    this.#paces = new Map(runs.map(({ pace, subscription: { name } }) => [name, pace]))
  }

  async #end(standing: SnapshotStanding, how: 'ended' | 'cancelled'): Promise<void> {
    const { clock, log, store } = this.#deps
    const { run, subscription } = standing
    if (!(await store.endSnapshot({ subscription, run, how, at: clock.now() }))) return
    const { leftOut, sent } = snapshotSums(standing)
    const line = { subscription, run, sent, left_out: leftOut }
    if (how === 'ended') log.info(line, 'snapshot.ended')
    else log.info(line, 'snapshot.cancelled')
  }

  /** Sends the next slice of a run. Resolves to whether there was one. */
  async #send(left: Left, isForced: boolean): Promise<boolean> {
    const { clock } = this.#deps
    const { pace, parts, standing, subscription } = left
    const found = await this.#next(parts)
    if (found === null) return this.#leaveAlone(pace)
    const { at, by, progress } = found
    const moved = await by.send({ run: standing, subscription, progress, isForced }).catch(elsewhere)
    if (moved === 'elsewhere') this.#lookAt = 0
    if (moved === 'elsewhere' || moved === null) return this.#leaveAlone(pace)
    if (moved.endedAt === null) parts[at] = moved
    else parts.splice(at, 1)
    if (parts.length === 0) this.#lookAt = 0
    pace.restsUntil = clock.monotonic() + sliceRestMs(subscription, moved.sent - progress.sent)
    pace.fullMs = 0
    return true
  }

  #leaveAlone(pace: Pace): false {
    pace.fullMs = Math.min(Math.max(NO_ROOM_MS, 2 * pace.fullMs), LOOK_EVERY_MS)
    pace.fullUntil = this.#deps.clock.monotonic() + pace.fullMs
    return false
  }

  /** The first part whose records are all known. */
  async #next(parts: readonly SnapshotProgress[]) {
    const here = new Map(this.#deps.polled().map((each) => [each.account, each]))
    for (const [at, progress] of parts.entries()) {
      const by = here.get(progress.account)
      if (by !== undefined && (await by.isReady(progress.resource))) return { at, by, progress }
    }
    return null
  }
}

function newPace(): Pace {
  return { restsUntil: 0, fullUntil: 0, fullMs: 0 }
}

/** Another process moved the run, ended it, or polls the account by now: what stands is looked up again. */
function elsewhere(error: unknown): 'elsewhere' {
  if (error instanceof ShipbellError && (error.code === 'store_conflict' || error.code === 'lease_lost'))
    return 'elsewhere'
  throw error
}
