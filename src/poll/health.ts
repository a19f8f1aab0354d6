import { accountEvent } from '../detect/account-event.ts'
import type { Exchange } from '../model/exchange.ts'
import { formatInstant } from '../model/instant.ts'
import type { AccountHealth, RecordState } from '../model/record-state.ts'
import type { RequestResult } from '../plan/backoff.ts'
import type { Outcome } from '../platform/outcome.ts'
import type { JsonObject } from '../model/json.ts'
import type { Committer } from './committer.ts'

const FAILURES_UNTIL_UNREACHABLE = 3

/** Keeps an account's health and rings once per change of state (contract section 3.9). */
export class HealthWatch {
  readonly #account: string
  readonly #committer: Committer
  #failures = 0
  /** The last of them. */
  #failed: readonly Exchange[] = []
  #failedAt = Number.NEGATIVE_INFINITY
  #state: AccountHealth['state'] | null = null

  constructor(account: string, committer: Committer) {
    this.#account = account
    this.#committer = committer
  }

  async observe(outcome: Outcome<unknown>, result: RequestResult): Promise<void> {
    const { exchange } = outcome
    const { sentAt, answeredAt } = exchange
    if (result === 'throttled') return
    const overlapped = sentAt <= this.#failedAt && this.#failedAt <= answeredAt
    if (overlapped) return
    this.#state ??= await this.#load()
    if (result === 'success') {
      this.#failures = 0
      this.#failed = []
      if (this.#state !== 'ok') await this.#become({ state: 'ok', since: answeredAt, reason: null }, [exchange])
      return
    }
    this.#failedAt = answeredAt
    this.#failures += 1
    this.#failed = [...this.#failed, exchange].slice(-FAILURES_UNTIL_UNREACHABLE)
    const reason = 'reason' in outcome ? outcome.reason : null
    const since = answeredAt
    if (result === 'refused' && this.#state !== 'unauthorized') {
      await this.#become({ state: 'unauthorized', since, reason }, [exchange])
    }
    const unreachable = result === 'failure' && this.#failures >= FAILURES_UNTIL_UNREACHABLE
    if (unreachable && this.#state === 'ok') await this.#become({ state: 'degraded', since, reason }, this.#failed)
  }

  async #load(): Promise<AccountHealth['state']> {
    const known = await this.#committer.store.records(this.#account, 'account', [this.#account])
    return known.get(this.#account)?.memory.health?.state ?? 'ok'
  }

  async #become(health: AccountHealth, exchanges: readonly Exchange[]): Promise<void> {
    await this.#committer.commitAccountEvent({
      account: this.#account,
      derive: (before) => accountEvent(this.#ring(before, health)),
      sighting: { by: 'health', resource: null, exchanges },
    })
    this.#state = health.state
  }

  #ring(before: RecordState | null, health: AccountHealth): Parameters<typeof accountEvent>[0] {
    const type = EVENT_OF[health.state]
    const was = before?.memory.health
    const extras: JsonObject =
      health.state === 'ok'
        ? { was: was?.state ?? null, down_since: was === undefined ? null : formatInstant(was.since) }
        : { reason: health.reason }
    return { account: this.#account, state: before, type, at: health.since, extras, memory: { health } }
  }
}

const EVENT_OF = {
  ok: 'account.recovered',
  degraded: 'account.unreachable',
  unauthorized: 'account.unauthorized',
} as const
