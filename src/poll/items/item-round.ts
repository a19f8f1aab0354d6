import type { Exchange } from '../../model/exchange.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Read, RecordState } from '../../model/record-state.ts'
import { LISTS, RECORD_OF } from '../../model/resource.ts'
import type { ListState, MissingRecord } from '../../store/ports/list-port.ts'
import type { Settled } from '../lists/unproved.ts'
import { Removals } from '../lists/removals.ts'
import type { ReadResult } from '../requests/read-result.ts'
import type { ItemContext } from './item-reader.ts'

/**
 * A round of what is read item by item: over when every item was read since it began. What answered 404 is then judged as
 * what a complete pass over a list missed; the 404 itself is the proof.
 */
export class ItemRound {
  readonly #context: ItemContext
  /** The last answers of items that were 404. */
  readonly #absences = new Map<string, Exchange>()
  #last: Exchange | null = null

  constructor(context: ItemContext) {
    this.#context = context
  }

  /** An item was read. */
  note(id: string, { exchange, isAbsent }: { readonly exchange: Exchange; readonly isAbsent: boolean }): void {
    this.#last = exchange
    if (!this.#context.source.hasRounds) return
    if (isAbsent) this.#absences.set(id, exchange)
    else this.#absences.delete(id)
  }

  /**
   * Judges the round where it is over; null where it is not. An item that is given up holds up no other. A 404 that an earlier
   * process saw has to come again: a removal is explained by its request.
   */
  async settle(list: ListState, isGivenUp: (id: string) => boolean): Promise<Settled | null> {
    const { account, clock, committer, source } = this.#context
    const lastExchange = this.#last
    const unread = await source.queue(list.passStartedAt ?? 0, Number.MAX_SAFE_INTEGER)
    if (lastExchange === null || unread.some(({ id }) => !isGivenUp(id))) return null
    const existing = await source.existing()
    const missing = existing.filter(
      ({ memory, lastRead }) => memory.lastShown !== undefined && isOfRound(list, lastRead),
    )
    if (missing.some(({ id }) => !this.#absences.has(id))) return null
    if (missing.length > 0 && (await this.#isListHeld())) return null
    const resource = RECORD_OF[source.watch]
    const removals = new Removals(
      { ...this.#context, watch: source.watch },
      {
        state: { ...list, completedAt: clock.now(), fetchWorks: true },
        known: existing.length,
        hold: (await committer.store.doubts(account.name, resource)).hold,
        lastExchange,
        proof: async (id) => this.#proof(id),
        removedBy: 'item',
      },
    )
    return removals.settle({
      missing: await this.#missed(missing, list.pass),
      rows: existing.length,
      inMotion: false,
      shownId: null,
    })
  }

  #proof(id: string): ReadResult<JsonObject> {
    const exchange = this.#absences.get(id) ?? null
    if (exchange !== null) return { kind: 'read', value: null, exchange, validator: null }
    return { kind: 'failed', reason: 'it was not read in this round', why: 'trouble', exchange }
  }

  async #missed(missing: readonly RecordState[], pass: number): Promise<readonly MissingRecord[]> {
    const { account, committer, source } = this.#context
    const ids = missing.map(({ id }) => id)
    const known = await committer.store.known(account.name, RECORD_OF[source.watch], ids)
    return ids
      .map((id) => ({ id, misses: known.get(id)?.misses ?? 0, lastPass: pass }))
      .sort((left, right) => left.misses - right.misses)
  }

  /**
   * A list that may be another account's says nothing about items either: its hold has to be judged first. A list that is no
   * longer watched has no pass that could end its hold.
   */
  async #isListHeld(): Promise<boolean> {
    const { account, committer } = this.#context
    const watched = LISTS.filter((watch) => account.watch[watch] !== undefined)
    const doubts = await Promise.all(
      watched.map(async (watch) => committer.store.doubts(account.name, RECORD_OF[watch])),
    )
    return doubts.some(({ hold }) => hold !== null && hold.verdict === null)
  }
}

/** One miss for each 404, also where a round begins in the millisecond in which the last one ended. */
function isOfRound({ passStartedAt, completedAt }: ListState, { sentAt, answeredAt }: Read): boolean {
  const startedAt = passStartedAt ?? 0
  const endedAt = completedAt !== null && completedAt <= startedAt ? completedAt : 0
  return sentAt >= startedAt && answeredAt > endedAt
}

/**
 * A round that began later than now began before the clock was set back: it counts as over, or nothing would ever end it. An end
 * that is later than now is not the end of this round.
 */
export function isRoundOver({ completedAt, passStartedAt }: ListState, now: number): boolean {
  if (passStartedAt === null || passStartedAt > now) return true
  return completedAt !== null && completedAt >= passStartedAt && completedAt <= now
}

/** Whether the last round began at `instant` or later. */
export function isRoundSince({ passStartedAt }: ListState, instant: number, now: number): boolean {
  return passStartedAt !== null && passStartedAt >= instant && passStartedAt <= now
}
