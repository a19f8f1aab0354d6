import type { Clock } from '../../clock.ts'
import type { ReadReason } from '../../model/provenance.ts'
import { watchedAs, type Watchable } from '../../model/resource.ts'
import { delay } from '../../plan/backoff.ts'
import { turnInPlace, type PlacedTurn } from '../../plan/place-in-period.ts'
import type { Announced, Choice } from '../../plan/read-scheduler.ts'
import type { Target } from '../../plan/target.ts'
import type { PollContext } from '../poll-context.ts'
import type { ReadingPlan } from './reading-plan.ts'

/** Reads one unit; false: it came to nothing. */
type ReadUnit = (target: Target, why: Choice | 'announced', signal: AbortSignal) => Promise<boolean>

const SHORTEST_SLEEP_MS = 1_000
const LONGEST_SLEEP_MS = 60_000
/** While there is nothing to choose from at all. */
const EMPTY_SLEEP_MS = 30 * 60_000
const ANNOUNCEMENT_MS = 60 * 60_000
const RETRY_MS = 60_000
/** After so many failures an announced item is left to its turn. */
const MOST_FAILURES = 5

/** Spends the budget that refresh targets leave where a change is likely, and reads at once what was announced. */
export class SpareReads {
  readonly #context: Pick<PollContext, 'clock' | 'accountClient' | 'plan'>
  readonly #readUnit: ReadUnit

  constructor(context: Pick<PollContext, 'clock' | 'accountClient' | 'plan'>, read: ReadUnit) {
    this.#context = context
    this.#readUnit = read
  }

  /** What has to run, each until `signal` aborts; one that failed may be begun again. */
  get loops(): readonly ((signal: AbortSignal) => Promise<void>)[] {
    return [async (signal) => this.#runAnnounced(signal), async (signal) => this.#runChoices(signal)]
  }

  async #runAnnounced(signal: AbortSignal): Promise<void> {
    const { clock, plan } = this.#context
    const { announced, scheduler } = plan
    while (!signal.aborted) {
      const now = clock.now()
      const next = scheduler.takeAnnounced(now)
      if (next === null) {
        const waitMs = (scheduler.announcedFrom() ?? Number.POSITIVE_INFINITY) - now
        await announced.wait(clock, Math.min(Math.max(waitMs, SHORTEST_SLEEP_MS), ANNOUNCEMENT_MS), signal)
      } else await this.#readAnnounced(next, signal)
    }
  }

  async #runChoices(signal: AbortSignal): Promise<void> {
    const { clock, accountClient, plan } = this.#context
    const { learnt, scheduler } = plan
    while (!signal.aborted) {
      await accountClient.spareWait(signal)
      if (signal.aborted) return
      const now = clock.now()
      const choice = scheduler.choose(now)
      if (choice !== null) await this.#read(choice.target, choice, signal)
      else await learnt.wait(clock, this.#idleMs(now), signal)
    }
  }

  #idleMs(now: number): number {
    const next = this.#context.plan.scheduler.nextAt(now)
    if (next === null) return EMPTY_SLEEP_MS
    return Math.min(Math.max(next - now, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS)
  }

  async #readAnnounced({ failures, target }: Announced, signal: AbortSignal): Promise<void> {
    const { clock, plan } = this.#context
    const { scheduler } = plan
    if ((await this.#read(target, 'announced', signal)) || failures + 1 >= MOST_FAILURES) return
    scheduler.announceAgain({ target, failures: failures + 1, from: clock.now() + RETRY_MS * 2 ** failures })
  }

  /** A unit that cannot be read waits as if it had just been read. */
  async #read(target: Target, why: Choice | 'announced', signal: AbortSignal): Promise<boolean> {
    const { clock, accountClient, plan } = this.#context
    const { scheduler } = plan
    const leftMs = accountClient.closedMs(watchedAs(target.resource))
    if (leftMs > 0) {
      scheduler.postpone(target, clock.now() + leftMs)
      return false
    }
    scheduler.postpone(target, clock.now())
    const isRead = await this.#readUnit(target, why, signal)
    if (!isRead) scheduler.postpone(target, clock.now() + RETRY_MS)
    return isRead
  }
}

/** Why spare budget reads a unit, as an event's explanation says it. */
export function spareReason(why: Choice | 'announced'): ReadReason {
  return why === 'announced'
    ? { kind: 'announced' }
    : { kind: 'likely', expected: why.expected, waitedMs: why.waitedMs }
}

/** The last pass over a list; `incomplete`: how many in a row were cut short, it among them. */
export interface LastPass {
  readonly name: Watchable
  readonly startedAt: number
  readonly incomplete: number
  /** Where in its period the next pass is to be; null: wherever it falls due. See `turnInPlace`. */
  readonly place: number | null
}

interface Surroundings {
  readonly clock: Clock
  readonly random: () => number
  readonly plan: Pick<ReadingPlan, 'everyMs' | 'passDueAt' | 'lookMs'>
}

/** A pass that failed or was cut short is not repeated sooner. */
export const RETRY_FIRST_MS = 1_000
const RETRY_MOST_MS = 5 * 60_000

/** A pass that begins so much of its period later than it was due is out of its place, as all are that something kept waiting together. */
const LATE = 0.1

/**
 * Waits for the turn of the next pass, and resolves to whether that is in its place. When it is due is asked again and again, because
 * what the budget covers may change meanwhile; it is never longer than one period from now. A pass that was cut short is repeated sooner,
 * but never in a hurry.
 */
export async function awaitTurn(
  last: LastPass,
  { clock, plan, random }: Surroundings,
  signal: AbortSignal,
): Promise<boolean> {
  const { incomplete: count, name, place, startedAt } = last
  const isOutOfStep = count > 0
  const turn = (): PlacedTurn => {
    const dueAt = plan.passDueAt(name, startedAt)
    return place === null || isOutOfStep ? { at: dueAt, isPlaced: true } : turnInPlace({ startedAt, dueAt, place })
  }
  const [least, most] =
    count === 0
      ? [0, Number.POSITIVE_INFINITY]
      : [RETRY_FIRST_MS, delay({ first: RETRY_FIRST_MS, most: RETRY_MOST_MS, count, random: random() })]
  for (let waitedMs = 0; ;) {
    const { at, isPlaced } = turn()
    const untilDue = Math.min(at - clock.now(), plan.everyMs(name) - waitedMs)
    const leftMs = Math.min(Math.max(untilDue, least - waitedMs), most - waitedMs)
    if (signal.aborted || leftMs <= 0) return isPlaced && !isOutOfStep && clock.now() - at <= LATE * (at - startedAt)
    const stepMs = Math.min(leftMs, plan.lookMs)
    await clock.sleep(stepMs, signal)
    waitedMs += stepMs
  }
}
