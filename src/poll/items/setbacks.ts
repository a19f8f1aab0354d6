import type { ItemSetback } from '../../model/record-state.ts'
import { delay, probeDelay } from '../../plan/backoff.ts'
import { accountRecord, rememberOfAccount } from '../ingest/update-record.ts'
import type { ReadResult } from '../requests/read-result.ts'
import type { ItemContext } from './item-reader.ts'

type Why = Extract<ReadResult<unknown>, { readonly kind: 'failed' }>['why']

const RETRY_FIRST_MS = 5_000
const RETRY_MOST_MS = 6 * 3_600_000

/** Failures in a row after which nobody waits for an item that fails alone. */
const GIVEN_UP_AFTER = 3

/** Shorter waits are not worth writing down. */
const LEAST_KEPT_MS = 60_000
const MOST_KEPT = 500

/**
 * Why an item is not read for a while although it is due.
 *
 * - `own`: it fails while others of its resource answer
 * - `doubtful`: it failed, and no other has answered since
 * - `down`: no item of the resource answers
 * - `refused`: it is not for this key (403)
 * - `old`: its answers are copies so old that it stays due
 */
type Kind = 'own' | 'doubtful' | 'down' | 'refused' | 'old'

interface Setback {
  readonly kind: Kind
  /** Failures in a row. */
  readonly count: number
  readonly retryAt: number
  readonly waitMs: number
}

/** Items that wait although they are due. An item that always fails must hold up no other. */
export class Setbacks {
  readonly #setbacks = new Map<string, Setback>()
  /** The longest wait of an item that fails. */
  readonly #mostMs: number
  #kept = ''

  /** `everyMs`: the longest that an item may go unread. */
  constructor(everyMs: number) {
    this.#mostMs = Math.max(RETRY_MOST_MS, everyMs)
  }

  get size(): number {
    return this.#setbacks.size
  }

  has(id: string): boolean {
    return this.#setbacks.has(id)
  }

  /** Whether the item fails while others of its resource answer. */
  isOwn(id: string): boolean {
    return this.#setbacks.get(id)?.kind === 'own'
  }

  /** Whether nobody waits for the item any longer. */
  isGivenUp(id: string): boolean {
    const known = this.#setbacks.get(id)
    return known !== undefined && known.count >= GIVEN_UP_AFTER && (known.kind === 'own' || known.kind === 'refused')
  }

  /** `now` where nothing stands in the way; a clock set back makes no wait longer than it was. */
  retryAt(id: string, now: number): number {
    const known = this.#setbacks.get(id)
    return known === undefined ? now : Math.min(known.retryAt, now + known.waitMs)
  }

  /** The item that failed least often; among equals the one whose turn comes first. An item that always fails hides no other. */
  first<T extends { readonly id: string }>(items: readonly T[], now: number): readonly T[] {
    const [first] = items.toSorted(
      ({ id: left }, { id: right }) =>
        this.#count(left) - this.#count(right) || this.retryAt(left, now) - this.retryAt(right, now),
    )
    return first === undefined ? [] : [first]
  }

  /** `isDown`: no item of the resource answers. */
  failed(
    id: string,
    {
      isDown,
      now,
      random,
      why,
    }: { readonly now: number; readonly random: number; readonly why: Why; readonly isDown: boolean },
  ): void {
    const count = this.#count(id) + 1
    const kind = this.#kindOf(id, why, isDown)
    const waitMs =
      kind === 'refused'
        ? probeDelay(count, random)
        : delay({ first: RETRY_FIRST_MS, most: this.#mostMs, count, random })
    this.#setbacks.set(id, { kind, count, retryAt: now + waitMs, waitMs })
  }

  /** The item answered, but with a copy so old that it stays due. */
  old(id: string, { now, waitMs }: { readonly now: number; readonly waitMs: number }): void {
    this.#setbacks.set(id, { kind: 'old', count: 0, retryAt: now + waitMs, waitMs })
  }

  over(id: string): void {
    this.#setbacks.delete(id)
  }

  /** Decides items that were in doubt: they fail alone (`own`), or no item of the resource answers (`down`). */
  judge(ids: Iterable<string>, kind: 'own' | 'down'): void {
    for (const id of ids) {
      const known = this.#setbacks.get(id)
      if (known?.kind === 'doubtful') this.#setbacks.set(id, { ...known, kind })
    }
  }

  /** What held up all items is over: the key is no longer refused them, or they answer again. */
  end(kind: 'refused' | 'down'): void {
    for (const [id, setback] of this.#setbacks) if (setback.kind === kind) this.#setbacks.delete(id)
  }

  /** Goes on where the last process ended. */
  recall(setbacks: Readonly<Record<string, ItemSetback>>): void {
    for (const [id, setback] of Object.entries(setbacks)) {
      if (!this.#setbacks.has(id)) this.#setbacks.set(id, { kind: 'own', ...setback })
    }
    this.#kept = JSON.stringify(this.#worthKeeping())
  }

  /** What the next process is to know: the longest waits of items that fail alone. null: what was written down last. */
  unsaved(): Readonly<Record<string, ItemSetback>> | null {
    const worthKeeping = this.#worthKeeping()
    const text = JSON.stringify(worthKeeping)
    if (text === this.#kept) return null
    this.#kept = text
    return worthKeeping
  }

  #worthKeeping(): Readonly<Record<string, ItemSetback>> {
    const long = [...this.#setbacks].filter(([, { kind, waitMs }]) => kind === 'own' && waitMs >= LEAST_KEPT_MS)
    const longest = long.sort(([, left], [, right]) => right.waitMs - left.waitMs).slice(0, MOST_KEPT)
    return Object.fromEntries(longest.map(([id, { count, retryAt, waitMs }]) => [id, { count, retryAt, waitMs }]))
  }

  #count(id: string): number {
    return this.#setbacks.get(id)?.count ?? 0
  }

  #kindOf(id: string, why: Why, isDown: boolean): Kind {
    if (why === 'refused') return 'refused'
    if (why === 'rejected' || this.isOwn(id)) return 'own'
    return isDown ? 'down' : 'doubtful'
  }
}

type Of = Pick<ItemContext, 'account' | 'committer' | 'source'>

/** Items that failed alone when the last process ended go on waiting. */
export async function recallSetbacks({ account, committer, source }: Of, setbacks: Setbacks): Promise<void> {
  const { setbacks: recorded = {} } = (await accountRecord(committer, account.name))?.memory ?? {}
  setbacks.recall(recorded[source.watch] ?? {})
}

/** Writes down the waits that are long enough to outlive the process. */
export async function keepSetbacks({ account, committer, source }: Of, setbacks: Setbacks): Promise<void> {
  const unsaved = setbacks.unsaved()
  if (unsaved === null) return
  await rememberOfAccount(committer, account.name, (memory) => ({
    ...memory,
    setbacks: { ...memory.setbacks, [source.watch]: unsaved },
  }))
}
