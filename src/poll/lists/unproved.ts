import type { AccountEventInput } from '../../detect/account-event.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Hold, HoldReason, HoldVerdict } from '../../model/hold.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import type { Provenance } from '../../model/provenance.ts'
import { RECORD_OF, type RecordResource, type Watchable } from '../../model/resource.ts'
import { isUnproved } from '../../plan/removal.ts'
import type { ListState, MissingRecord } from '../../store/ports/list-port.ts'
import type { AccountContext } from '../account-context.ts'
import { accountNews } from '../ingest/update-record.ts'
import type { ReadResult } from '../requests/read-result.ts'

/** The ids that an event names. */
const SAMPLE_SIZE = 20
/** How many records that wait are fetched again in a pass. */
const MOST_FETCHED = 3

interface UnprovedOf extends Pick<AccountContext, 'account' | 'committer'> {
  readonly watch: Watchable
}

/** How often fetches by id have failed in a row, by id: of this process alone. */
export type FailedProofs = Map<string, number>

/** What is to be done about records that a pass missed and that wait for a person. */
export interface Waiting {
  readonly missing: MissingRecord
  readonly verdict: HoldVerdict | null
}

/**
 * Records that complete passes miss again and again while a fetch by id proves nothing: a 403, a 500, an error in a 200. They wait
 * for a person, each by itself and apart from what is held of the whole list (guarantee D6). Meanwhile nobody counts them.
 */
export class Unproved {
  readonly #context: UnprovedOf
  readonly #verdicts: ReadonlyMap<string, HoldVerdict | null>
  readonly #failed: FailedProofs

  private constructor(
    context: UnprovedOf,
    { failed, verdicts }: { readonly failed: FailedProofs; readonly verdicts: ReadonlyMap<string, HoldVerdict | null> },
  ) {
    this.#context = context
    this.#verdicts = verdicts
    this.#failed = failed
  }

  static async load(context: UnprovedOf, failed: FailedProofs): Promise<Unproved> {
    const { account, committer, watch } = context
    const { unproved } = await committer.store.doubts(account.name, RECORD_OF[watch])
    return new Unproved(context, { failed, verdicts: new Map(unproved.map(({ id, verdict }) => [id, verdict])) })
  }

  has(id: string): boolean {
    return this.#verdicts.has(id)
  }

  /** The missing records that are to be fetched, or removed, now. Rejected ones stay as they are. */
  due(missing: readonly MissingRecord[], pass: number): readonly Waiting[] {
    const waiting = missing.flatMap((each): readonly Waiting[] => {
      const verdict = this.#verdicts.get(each.id)
      return verdict === undefined || verdict === 'reject' ? [] : [{ missing: each, verdict }]
    })
    const accepted = waiting.filter(({ verdict }) => verdict === 'accept')
    const others = waiting.filter(({ verdict }) => verdict === null)
    const from = others.length === 0 ? 0 : (pass * MOST_FETCHED) % others.length
    return [...accepted, ...[...others.slice(from), ...others.slice(0, from)].slice(0, MOST_FETCHED)]
  }

  /** Notes what a fetch by id came to, where the platform was asked. */
  noteProof(id: string, isFailed: boolean): void {
    if (isFailed) this.#failed.set(id, this.failuresOf(id) + 1)
    else this.#failed.delete(id)
  }

  failuresOf(id: string): number {
    return this.#failed.get(id) ?? 0
  }

  /** Whether a record is to wait for a person from now on. */
  isNew(missing: MissingRecord): boolean {
    return !this.has(missing.id) && this.failuresOf(missing.id) > 0 && isUnproved(missing)
  }

  /**
   * The pass is over: records that it met, or that were removed, wait no longer, and those that begin to wait ring together.
   * `left`: what it missed and what is still there. Resolves to how many events rang.
   */
  async settle({
    at,
    known,
    left,
    provenance,
  }: {
    readonly at: number
    readonly known: number
    readonly left: readonly MissingRecord[]
    readonly provenance: Provenance
  }): Promise<number> {
    const { account, committer, watch } = this.#context
    const resource: RecordResource = RECORD_OF[watch]
    const ids = new Set(left.map(({ id }) => id))
    for (const id of this.#failed.keys()) if (!ids.has(id)) this.#failed.delete(id)
    const drop = [...this.#verdicts.keys()].filter((id) => !ids.has(id))
    const add = left.filter((each) => this.isNew(each)).map(({ id }) => id)
    if (add.length + drop.length === 0) return 0
    const changes = [{ kind: 'unproved', resource, add, drop, at }] as const
    const sample: Json = add.slice(0, SAMPLE_SIZE)
    const extras = { resource: watch, reason: 'unproved', known, missing: add.length, sample }
    const event: Pick<AccountEventInput, 'type' | 'at' | 'extras'> = { type: 'account.removals_held', at, extras }
    const held = await committer.commit(account.name, async () => {
      const news = add.length === 0 ? null : await accountNews(committer.store, account.name, () => event)
      return news === null ? { changes } : { changes, ...news, provenance }
    })
    return add.length === 0 || held === null ? 0 : 1
  }
}

/** Whether a record exists: `value` is null where it does not. */
export type Proof = (id: string) => Promise<ReadResult<JsonObject>>

export interface CompletePass {
  /** The state of the list, with the end of this pass. */
  readonly state: ListState
  /** How many records were known before the pass. */
  readonly known: number
  /** What was held when the pass began. */
  readonly hold: Hold | null
  /** The last request of the pass. */
  readonly lastExchange: Exchange
  readonly proof: Proof
  /** Fetches by id that failed in earlier passes; left out: every fetch was made before. */
  readonly failedProofs?: FailedProofs
  /** What explains a removal: that passes over a list missed the record, or the fetches that did not find it. */
  readonly removedBy: 'absence' | 'item'
}

export interface PassEnd {
  /** The known records that it did not meet, fewest misses first; this miss is not counted yet. */
  readonly missing: readonly MissingRecord[]
  /** Rows received, good or bad. */
  readonly rows: number
  /** Rows came twice, or without an id: the pass may have missed what is there. */
  readonly inMotion: boolean
  /** A record that the pass showed; null where it showed none. */
  readonly shownId: string | null
}

export interface Settled {
  readonly removed: number
  readonly events: number
  readonly held: HoldReason | null
}
