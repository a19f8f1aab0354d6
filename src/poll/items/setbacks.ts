import { delay, probeDelay } from '../../plan/backoff.ts'
import type { ReadResult } from '../requests/account-client.ts'

type Why = Extract<ReadResult<unknown>, { readonly kind: 'failed' }>['why']

const RETRY_FIRST_MS = 5_000
const RETRY_MOST_MS = 5 * 60_000

/** Why an item is not read for a while although it is due. */
interface Setback {
  /** Failures in a row; 0: its answers are copies so old that it stays due. */
  readonly count: number
  readonly retryAt: number
  readonly waitMs: number
  readonly isRefused: boolean
}

/** Items that wait although they are due. An item that always fails must hold up no other. */
export class Setbacks {
  readonly #setbacks = new Map<string, Setback>()

  get size(): number {
    return this.#setbacks.size
  }

  /** How often in a row an item failed. */
  count(id: string): number {
    return this.#setbacks.get(id)?.count ?? 0
  }

  /** `now` where nothing stands in the way; a clock set back makes no wait longer than it was. */
  retryAt(id: string, now: number): number {
    const known = this.#setbacks.get(id)
    return known === undefined ? now : Math.min(known.retryAt, now + known.waitMs)
  }

  /** Of these the item that failed least often; among equals the one whose turn comes first. An item that always fails hides no other. */
  first<T extends { readonly id: string }>(items: readonly T[], now: number): readonly T[] {
    const [first] = items.toSorted(
      ({ id: left }, { id: right }) =>
        this.count(left) - this.count(right) || this.retryAt(left, now) - this.retryAt(right, now),
    )
    return first === undefined ? [] : [first]
  }

  failed(id: string, { now, random, why }: { readonly now: number; readonly random: number; readonly why: Why }): void {
    const count = this.count(id) + 1
    const isRefused = why === 'refused'
    const waitMs = isRefused
      ? probeDelay(count, random)
      : delay({ first: RETRY_FIRST_MS, most: RETRY_MOST_MS, count, random })
    this.#setbacks.set(id, { count, retryAt: now + waitMs, waitMs, isRefused })
  }

  /** It answered, but with a copy so old that it stays due. */
  old(id: string, { now, waitMs }: { readonly now: number; readonly waitMs: number }): void {
    this.#setbacks.set(id, { count: 0, retryAt: now + waitMs, waitMs, isRefused: false })
  }

  over(id: string): void {
    this.#setbacks.delete(id)
  }

  /** The key is no longer refused what it was. */
  endRefusals(): void {
    for (const [id, { isRefused }] of this.#setbacks) if (isRefused) this.#setbacks.delete(id)
  }
}
