import type { AccountEventInput } from '../../detect/account-event.ts'
import type { Exchange } from '../../model/exchange.ts'
import { formatInstant } from '../../model/instant.ts'
import type { AccountHealth, ResourceRefusal } from '../../model/record-state.ts'
import { RECORD_OF, type Watchable } from '../../model/resource.ts'
import type { Place } from '../../plan/access.ts'
import type { RequestResult } from '../../plan/backoff.ts'
import type { Outcome, Refused } from '../../platform/outcome.ts'
import type { Committer } from '../committer.ts'
import { accountRecord, rememberOfAccount, ringAccount } from '../ingest/update-record.ts'

const FAILURES_UNTIL_UNREACHABLE = 3

/** A failed request, and why it failed, for people. */
export interface Failure {
  readonly exchange: Exchange
  readonly reason: string
}

/** Keeps an account's health and rings once per change of state (guarantee D9). */
export class HealthWatch {
  readonly #account: string
  readonly #committer: Committer
  #failures = 0
  /** The last of them. */
  #failed: readonly Exchange[] = []
  #failedAt = Number.NEGATIVE_INFINITY
  #state: AccountHealth['state'] | null = null
  readonly #refused = new Map<Watchable, ResourceRefusal>()
  readonly #credentialKey: string

  /** `credentialKey` stands for the address and key. */
  constructor({ account, credentialKey, committer }: { account: string; credentialKey: string; committer: Committer }) {
    this.#account = account
    this.#credentialKey = credentialKey
    this.#committer = committer
  }

  /** What rang of a resource that this address and key were refused; null where nothing did. */
  announced(watch: Watchable): ResourceRefusal | null {
    const refused = this.#refused.get(watch) ?? null
    return refused?.of === this.#credentialKey ? refused : null
  }

  async observe(outcome: Outcome<unknown>, result: RequestResult): Promise<void> {
    const { exchange } = outcome
    const { sentAt, answeredAt } = exchange
    if (result === 'throttled' || result === 'declined') return
    const overlapped = sentAt <= this.#failedAt && this.#failedAt <= answeredAt
    if (overlapped) return
    this.#state ??= await this.#load()
    if (result === 'success') {
      this.#failures = 0
      this.#failed = []
      if (this.#state !== 'ok') await this.#become({ state: 'ok', since: answeredAt, reason: null }, [exchange])
      return
    }
    const reason = 'reason' in outcome ? outcome.reason : null
    this.#count([exchange])
    if (result === 'refused' && this.#state !== 'unauthorized') {
      await this.#become({ state: 'unauthorized', since: answeredAt, reason }, [exchange])
    }
    if (result === 'failure') await this.#judgeFailures(reason)
  }

  /** Failures that counted as items' own, one after the other, are the account's. */
  async charge(failures: readonly Failure[]): Promise<void> {
    this.#state ??= await this.#load()
    this.#count(failures.map(({ exchange }) => exchange))
    await this.#judgeFailures(failures.at(-1)?.reason ?? null)
  }

  #count(failed: readonly Exchange[]): void {
    this.#failures += failed.length
    // What is charged afterwards may have been asked before what is counted already.
    const inOrder = [...this.#failed, ...failed].toSorted((one, other) => one.sentAt - other.sentAt)
    this.#failed = inOrder.slice(-FAILURES_UNTIL_UNREACHABLE)
    this.#failedAt = this.#failed.at(-1)?.answeredAt ?? this.#failedAt
  }

  async #judgeFailures(reason: string | null): Promise<void> {
    if (this.#state !== 'ok' || this.#failures < FAILURES_UNTIL_UNREACHABLE) return
    await this.#become({ state: 'degraded', since: this.#failedAt, reason }, this.#failed)
  }

  /** Goes on where the last process ended: what rang of resources that are watched no more is forgotten. */
  async keepOnly(watched: readonly Watchable[]): Promise<void> {
    const { refused = {} } = (await accountRecord(this.#committer, this.#account))?.memory ?? {}
    this.#refused.clear()
    for (const watch of watched) if (refused[watch] !== undefined) this.#refused.set(watch, refused[watch])
    if (Object.keys(refused).length === this.#refused.size) return
    const refusedNow = Object.fromEntries(this.#refused)
    await rememberOfAccount(this.#committer, this.#account, (memory) => ({ ...memory, refused: refusedNow }))
  }

  /** A resource is refused while others answer: rings once for an address and key. */
  async refuse({ skip, watch }: Place, { exchange, reason }: Refused): Promise<void> {
    if (this.announced(watch) !== null) return
    const refused = { since: exchange.answeredAt, reason, of: this.#credentialKey, skip }
    this.#refused.set(watch, refused)
    await this.#ringOf(watch, { type: 'account.unauthorized', at: refused.since, extras: { reason } }, exchange)
  }

  /** A resource answers: rings where it rang that it was refused. */
  async allow(watch: Watchable, exchange: Exchange): Promise<void> {
    const refused = this.#refused.get(watch)
    if (refused === undefined) return
    this.#refused.delete(watch)
    const extras = { was: 'unauthorized', down_since: formatInstant(refused.since) }
    await this.#ringOf(watch, { type: 'account.recovered', at: exchange.answeredAt, extras }, exchange)
  }

  async #ringOf(
    watch: Watchable,
    event: Pick<AccountEventInput, 'type' | 'at' | 'extras'>,
    exchange: Exchange,
  ): Promise<void> {
    const extras = { ...event.extras, resource: watch }
    const refused = Object.fromEntries(this.#refused)
    const provenance = { by: 'health', resource: RECORD_OF[watch], exchanges: [exchange] } as const
    await ringAccount(this.#committer, { account: this.#account, provenance }, (before) => ({
      ...event,
      extras,
      memory: { ...before?.memory, refused },
    }))
  }

  async #load(): Promise<AccountHealth['state']> {
    return (await accountRecord(this.#committer, this.#account))?.memory.health?.state ?? 'ok'
  }

  async #become(health: AccountHealth, exchanges: readonly Exchange[]): Promise<void> {
    const provenance = { by: 'health', resource: null, exchanges } as const
    await ringAccount(this.#committer, { account: this.#account, provenance }, (before) => {
      const was = before?.memory.health
      const down = { was: was?.state ?? null, down_since: was === undefined ? null : formatInstant(was.since) }
      const extras = health.state === 'ok' ? down : { reason: health.reason }
      return { type: EVENT_OF[health.state], at: health.since, extras, memory: { ...before?.memory, health } }
    })
    this.#state = health.state
  }
}

const EVENT_OF = {
  ok: 'account.recovered',
  degraded: 'account.unreachable',
  unauthorized: 'account.unauthorized',
} as const

export interface Blamed {
  /** A refused item (403) says nothing of others; a refused list does. */
  readonly of: 'list' | 'item'
  /**
   * Whose the failure of an item or page is. `item`: it is known to fail alone. `platform`: no item of its resource answers, so it
   * counts as any other. `unknown` (left out): of an item nobody's, but while the account is in trouble already; of a page the
   * platform's. `page`: the account is left alone as after any failure, and `OutageWatch` says whether it counts as one of the account.
   * `nobody`: nothing depends on the answer, and whatever fails says nothing of anything.
   */
  readonly blame?: 'item' | 'nobody' | 'page' | 'platform' | 'unknown'
}

/** What this process or machine lacks says nothing of the platform. */
export function lacksOurs(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'unreachable' && outcome.lacks !== undefined
}

/** What an outcome says about the platform and the account, whatever it says about the item asked for. */
export function resultOf(
  outcome: Outcome<unknown>,
  { blame, isCalm, of }: Required<Blamed> & { readonly isCalm: boolean },
): RequestResult {
  const isItsOwn = blame === 'item' || blame === 'nobody' || (of === 'item' && blame === 'unknown' && isCalm)
  switch (outcome.kind) {
    case 'ok':
    case 'empty':
    case 'not_found':
    case 'rejected':
      return 'success'
    case 'throttled':
      return 'throttled'
    case 'unauthorized':
      return blame === 'nobody' || (of === 'item' && outcome.exchange.status === 403) ? 'declined' : 'refused'
    case 'broken':
      // What the platform asks to wait holds for all that is asked of it.
      if (of === 'item' && outcome.retryAfterMs !== null) return 'throttled'
      return isItsOwn && outcome.retryAfterMs === null ? 'declined' : 'failure'
    case 'unreachable':
      return isItsOwn || lacksOurs(outcome) ? 'declined' : 'failure'
    default:
      return outcome satisfies never
  }
}
