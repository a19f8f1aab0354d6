import type { Clock } from '../clock.ts'
import type { Delivery } from '../model/delivery.ts'
import type { QueryStore } from '../store/ports/query-port.ts'

const LOOK_EVERY_MS = 200
/** Rows looked at in one go. A daemon takes the oldest first, so the rest need not be looked at yet. */
const PAGE = 1_000

/** After so many looks without headway the sender may be gone. */
const DOUBT_AFTER = 10

export interface Awaited {
  readonly ids: readonly string[]
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How long to wait while nothing ends. */
  readonly patienceMs: number
  /** Whether somebody sends; asked now and then while nothing ends. */
  readonly isSending: () => boolean | Promise<boolean>
  readonly onProgress?: (progress: SendProgress) => void
}

export interface SendProgress {
  readonly done: number
  readonly total: number
}

/**
 * Waits for another process until every row has ended or has failed its attempt, until there is no headway, or until `signal`
 * aborts. Resolves to the ids of those that still wait for theirs.
 */
export async function awaitOutcome(store: QueryStore, wait: Awaited): Promise<readonly string[]> {
  const { ids, clock, signal, patienceMs, isSending, onProgress } = wait
  const open = new Set(ids)
  let until = clock.monotonic() + patienceMs
  for (let idle = 0; open.size > 0 && !signal.aborted && clock.monotonic() < until;) {
    const settled = await settledRows(store, [...take(open, PAGE)], clock.now())
    for (const id of settled) open.delete(id)
    idle = settled.length > 0 ? 0 : idle + 1
    if (idle === 0) {
      until = clock.monotonic() + patienceMs
      onProgress?.({ done: ids.length - open.size, total: ids.length })
    } else if (idle % DOUBT_AFTER === 0 && !(await isSending())) break
    if (open.size > 0 && settled.length < PAGE) await clock.sleep(LOOK_EVERY_MS, signal)
  }
  return [...open]
}

/**
 * The rows that need not be waited for any more. A row that is due still waits for its attempt. A row that failed waits for a
 * later one, and so do the rows of its lane behind it.
 */
async function settledRows(store: QueryStore, ids: readonly string[], now: number): Promise<readonly string[]> {
  const rows = await store.deliveries(ids)
  const ahead = [...new Set(rows.flatMap(({ waitsFor }) => waitsFor ?? []))]
  const stuck = (await store.deliveries(ahead)).filter((row) => isSettled(row, now))
  const behind = new Set<string | null>(stuck.map(({ id }) => id))
  return rows.filter((row) => isSettled(row, now) || behind.has(row.waitsFor)).map(({ id }) => id)
}

function isSettled({ state, nextAttemptAt }: Delivery, now: number): boolean {
  return state !== 'pending' || (nextAttemptAt ?? 0) > now
}

function* take<T>(items: Iterable<T>, most: number): Generator<T> {
  let taken = 0
  for (const item of items) {
    if (taken === most) return
    taken += 1
    yield item
  }
}
