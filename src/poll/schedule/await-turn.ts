import type { Clock } from '../../clock.ts'
import type { Watchable } from '../../model/resource.ts'
import { delay } from '../../plan/backoff.ts'
import { turnInPlace, type PlacedTurn } from '../../plan/place-in-period.ts'
import type { ReadingPlan } from './reading-plan.ts'

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
