import { accountEvent } from '../detect/service-event.ts'
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
  #failedAt = Number.NEGATIVE_INFINITY
  #state: AccountHealth['state'] | null = null

  constructor(account: string, committer: Committer) {
    this.#account = account
    this.#committer = committer
  }

  async observe(outcome: Outcome<unknown>, result: RequestResult): Promise<void> {
    const { sentAt, answeredAt } = outcome.exchange
    if (result === 'throttled') return
    const overlapped = sentAt <= this.#failedAt && this.#failedAt <= answeredAt
    if (overlapped) return
    this.#state ??= await this.#load()
    if (result === 'success') {
      this.#failures = 0
      if (this.#state !== 'ok') await this.#become('ok', answeredAt, null)
      return
    }
    this.#failedAt = answeredAt
    this.#failures += 1
    const reason = 'reason' in outcome ? outcome.reason : null
    if (result === 'refused' && this.#state !== 'unauthorized') await this.#become('unauthorized', answeredAt, reason)
    const unreachable = result === 'failure' && this.#failures >= FAILURES_UNTIL_UNREACHABLE
    if (unreachable && this.#state === 'ok') await this.#become('degraded', answeredAt, reason)
  }

  async #load(): Promise<AccountHealth['state']> {
    const known = await this.#committer.store.records(this.#account, 'account', [this.#account])
    return known.get(this.#account)?.memory.health?.state ?? 'ok'
  }

  async #become(state: AccountHealth['state'], at: number, reason: string | null): Promise<void> {
    await this.#committer.commitAccountEvent(this.#account, (before) =>
      accountEvent(this.#ring(before, { state, since: at, reason })),
    )
    this.#state = state
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
