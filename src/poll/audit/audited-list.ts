import { ShownFields, type ShownDifference, type ShownTwice } from '../../detect/audit/shown-fields.ts'
import { verdictOf, type AuditSample, type AuditStep } from '../../ledger/audits.ts'
import { ignoredPaths } from '../../model/account.ts'
import type { Exchange } from '../../model/exchange.ts'
import { invoiceKind } from '../../model/invoice.ts'
import type { ListAudit, StaleRecord } from '../../model/list-audit.ts'
import { isFresh, type RecordState } from '../../model/record-state.ts'
import { RECORD_OF, type ListedResource, type LISTS } from '../../model/resource.ts'
import { readOf } from '../ingest/record-facts.ts'
import type { PollContext } from '../poll-context.ts'
import { auditNews } from './audit-news.ts'
import { ItemFetch, type Fetched, type FetchedItem } from './item-fetch.ts'
import { ListSampler } from './list-sampler.ts'

/** What auditing a list takes. */
export type AuditContext = Pick<
  PollContext,
  'account' | 'accountClient' | 'clock' | 'committer' | 'log' | 'platform' | 'random'
>

/** A pass that read its list to the end. */
export interface EndedPass {
  readonly startedAt: number
  /** Whether a cache answered with copies from before the pass: no record counts as read by it. */
  readonly isOfCopies: boolean
}

/** A record of which the list showed another value than a fetch by id, until the list was read again. */
interface Suspect {
  readonly id: string
  readonly differences: readonly ShownDifference[]
  readonly fetchedAt: number
  /** The version of the record by then: a list that has changed it since may only be late. */
  readonly version: number
  /** Looks that came to nothing. */
  readonly vain: number
  /** The last pass after which it was looked at. */
  readonly lookedAfter: number
}

/** What is fetched next, and why: `sample` is drawn at random, `second` is a suspect's, `again` a record's that was found stale. */
export type Look =
  | { readonly kind: 'sample'; readonly id: string }
  | { readonly kind: 'again'; readonly id: string; readonly stale: StaleRecord }
  | { readonly kind: 'second'; readonly id: string; readonly suspect: Suspect }

const MOST_SUSPECTS = 50
/** A list that is late by less than so many of its periods, or than so long, is not stale: a cache that says nothing of itself may answer. */
const LATE_PERIODS = 5
const LATE_MOST_MS = 10 * 60_000
/** A cache that says how old its copies are is stale once it has shown older ones for so long. */
const COPIES_LATE_MS = 30 * 60_000
/** How many looks may come to nothing before nothing more is asked of a suspect. */
const MOST_VAIN = 3
/** What agrees is written this often; all else at once. */
const SAVE_MS = 5_000

/** Samples the records of one list, compares them with what the list shows, and rings where it is stale. Changes no record. */
export class AuditedList {
  readonly watch: (typeof LISTS)[number]
  readonly #context: AuditContext
  readonly #resource: ListedResource
  readonly #fields: ShownFields
  readonly #sampler: ListSampler
  readonly #items: ItemFetch
  readonly #suspects = new Map<string, Suspect>()
  /** After which pass a record that was found stale was looked at last. */
  readonly #lookedAgain = new Map<string, number>()
  #pass: EndedPass | null = null
  #audit: ListAudit | null = null
  #isBaselined = false
  #isAgainNext = false
  #unsaved: AuditSample[] = []
  /** The fetch that showed a record last: what rings is explained by it. */
  #fetch: Exchange | null = null
  #savedAt = Number.NEGATIVE_INFINITY

  constructor(context: AuditContext, watch: (typeof LISTS)[number]) {
    this.#context = context
    this.watch = watch
    this.#resource = RECORD_OF[watch]
    this.#fields = new ShownFields(this.#resource, ignoredPaths(context.account, this.#resource))
    this.#sampler = new ListSampler(context, this.#resource)
    this.#items = new ItemFetch(context, this.#resource)
  }

  passEnded(pass: EndedPass): void {
    this.#pass = pass
  }

  /** What a suspect has waited for: its list was read again. null: nothing. */
  nextSecond(): Look | null {
    const pass = this.#pass
    if (pass === null || this.#items.rests) return null
    for (const suspect of this.#suspects.values()) {
      const { fetchedAt, id, lookedAfter } = suspect
      if (pass.startedAt >= fetchedAt + this.#lateMs && pass.startedAt > lookedAfter)
        return { kind: 'second', id, suspect }
    }
    return null
  }

  /** How long after a fetch a list that has caught up shows what the fetch did. */
  get #lateMs(): number {
    const { everyMs = 0 } = this.#context.account.watch[this.watch] ?? {}
    const isOfCopies = this.#pass?.isOfCopies === true
    return isOfCopies ? COPIES_LATE_MS : Math.min(LATE_PERIODS * everyMs, LATE_MOST_MS)
  }

  /** What is to be looked at beside suspects; null: nothing, as things stand. */
  async next(): Promise<Look | null> {
    if (this.#items.rests || !(await this.#mayBegin())) return null
    this.#isAgainNext = !this.#isAgainNext
    const stale = this.#isAgainNext ? this.#nextStale() : null
    if (stale !== null) return { kind: 'again', id: stale.id, stale }
    const id = await this.#sampler.draw()
    return id === null || this.#suspects.has(id) ? null : { kind: 'sample', id }
  }

  async look(look: Look, signal: AbortSignal): Promise<void> {
    if (look.kind === 'second' && !(await this.#isShownSince(look.suspect))) return this.#vainly(look.suspect)
    const answer = await this.#items.fetch(look.id, signal)
    if (answer.kind === 'unasked') return
    if (answer.kind === 'shown') this.#fetch = answer.exchange
    if (look.kind === 'again') return this.#lookedAt(look.stale, answer)
    if (answer.kind !== 'shown') return look.kind === 'second' ? this.#vainly(look.suspect) : undefined
    return look.kind === 'second' ? this.#lookTwice(look.suspect, answer) : this.#sampled(look.id, answer)
  }

  /** Writes what samples came to since the last time, and rings what follows. */
  async save(): Promise<void> {
    const { account, clock, committer } = this.#context
    const samples = this.#unsaved
    if (samples.length === 0) return
    this.#unsaved = []
    const exchanges = this.#fetch === null ? [] : [this.#fetch]
    const known = { account: account.name, resource: this.#resource, samples, at: clock.now(), exchanges }
    try {
      const saved = await committer.commit(account.name, async () => auditNews(committer.store, known))
      this.#savedAt = known.at
      this.#audit = saved?.audit ?? this.#audit
      if (saved !== null) this.#log(saved)
    } catch (error) {
      this.#unsaved = [...samples, ...this.#unsaved]
      throw error
    }
  }

  #log({ audit, rings }: AuditStep): void {
    const { account, log } = this.#context
    const line = { account: account.name, resource: this.watch }
    const ids = audit.episode?.records.map(({ id }) => id)
    if (rings === 'stale') log.warn({ ...line, ids }, 'audit.list_stale')
    if (rings === 'recovered') log.info(line, 'audit.list_recovered')
  }

  /** Nothing is compared before the baseline. What a process before found is gone on with. */
  async #mayBegin(): Promise<boolean> {
    if (this.#isBaselined) return true
    const { account, committer } = this.#context
    const { audit, baselinedAt } = await committer.store.listState(account.name, this.#resource)
    this.#audit = audit
    this.#isBaselined = baselinedAt !== null
    return this.#isBaselined
  }

  /** A record that was found stale, which its list has shown again since it was looked at last. */
  #nextStale(): StaleRecord | null {
    const startedAt = this.#pass?.startedAt ?? Number.NEGATIVE_INFINITY
    return this.#audit?.episode?.records.find(({ id }) => (this.#lookedAgain.get(id) ?? 0) < startedAt) ?? null
  }

  async #record(id: string): Promise<RecordState | null> {
    const { account, committer } = this.#context
    return (await committer.store.records(account.name, this.#resource, [id])).get(id) ?? null
  }

  /** Whether the list has shown the record since the fetch; what a cache answers shows what it has, however old. */
  async #isShownSince({ fetchedAt, id }: Suspect): Promise<boolean> {
    const record = await this.#record(id)
    if (record === null || record.removedAt !== null) return false
    return this.#pass?.isOfCopies === true || record.lastRead.sentAt >= fetchedAt
  }

  /** What is to be compared; null: there is nothing to compare. */
  #shown(record: RecordState | null, { exchange, value: fetched }: Fetched): ShownTwice | null {
    if (record?.seen == null || record.removedAt !== null) return null
    const isNamesake = this.#resource === 'invoice' && invoiceKind(fetched) !== invoiceKind(record.seen)
    const isOldCopy = exchange.ageMs !== undefined && !isFresh(readOf(exchange), record.lastRead)
    return isNamesake || isOldCopy ? null : { listed: record.seen, fetched }
  }

  async #sampled(id: string, answer: Fetched): Promise<void> {
    const record = await this.#record(id)
    const shown = this.#shown(record, answer)
    const differences = shown === null ? null : this.#fields.sample(shown)
    if (record === null || shown === null || differences === null || this.#isStillStale(id, shown, differences)) return
    const { answeredAt: at } = answer.exchange
    if (differences.length === 0) await this.#note({ kind: 'agrees', id, at })
    else if (this.#suspects.size < MOST_SUSPECTS)
      this.#suspects.set(id, { id, differences, fetchedAt: at, version: record.version, vain: 0, lookedAfter: 0 })
  }

  /** Whether a record was found stale and differs as it did, which a process that has just begun cannot tell by what it has learnt. */
  #isStillStale(id: string, shown: ShownTwice, differences: readonly ShownDifference[]): boolean {
    const stale = this.#audit?.episode?.records.find((each) => each.id === id)
    return differences.length === 0 && stale !== undefined && this.#fields.differIn(stale.fields, shown)
  }

  async #lookTwice(suspect: Suspect, answer: Fetched): Promise<void> {
    const { id } = suspect
    const record = await this.#record(id)
    const shown = this.#shown(record, answer)
    const again = shown === null ? null : this.#fields.differences(shown)
    if (record === null || again === null) return this.#vainly(suspect)
    const { answeredAt: at } = answer.exchange
    const { version } = record
    const verdict = verdictOf(version === suspect.version ? textsOf(suspect.differences) : [], textsOf(again))
    if (verdict === 'moved') return this.#vainly({ ...suspect, differences: again, fetchedAt: at, version })
    this.#suspects.delete(id)
    if (verdict === 'agrees') await this.#note({ kind: verdict, id, at })
    else await this.#note({ kind: verdict, id, at, fields: [...new Set(again.map(({ field }) => field))] })
  }

  /** The suspect waits for another pass, or is let go. */
  #vainly(suspect: Suspect): void {
    const { id, vain } = suspect
    const lookedAfter = this.#pass?.startedAt ?? suspect.lookedAfter
    if (vain + 1 >= MOST_VAIN) this.#suspects.delete(id)
    else this.#suspects.set(id, { ...suspect, vain: vain + 1, lookedAfter })
  }

  /** A record that was found stale is well where it agrees again, or where nobody can tell any more: it is gone from its list, or by its id. */
  async #lookedAt({ fields, id }: StaleRecord, answer: FetchedItem): Promise<void> {
    this.#lookedAgain.set(id, this.#pass?.startedAt ?? 0)
    const record = await this.#record(id)
    const isGone = record?.seen == null || record.removedAt !== null
    const shown = answer.kind === 'shown' ? this.#shown(record, answer) : null
    const isWell = isGone || (shown === null ? answer.kind === 'gone' : !this.#fields.differIn(fields, shown))
    if (!isWell) return
    this.#lookedAgain.delete(id)
    await this.#note({ kind: 'well', id, at: this.#context.clock.now() })
  }

  async #note(sample: AuditSample): Promise<void> {
    this.#unsaved.push(sample)
    const isQuiet = sample.kind === 'agrees' && this.#audit?.episode == null
    if (!isQuiet || this.#context.clock.now() - this.#savedAt >= SAVE_MS) await this.save()
  }
}

function textsOf(differences: readonly ShownDifference[]): readonly string[] {
  return differences.map(({ text }) => text)
}
