import type { EndpointHealth, EndpointState } from '../../src/model/endpoint.ts'
import { isGivenUp, nextNotice } from '../../src/plan/circuit.ts'
import { NEVER_TRIED } from '../support/never-tried.ts'

const LONGEST_STEP_MS = 24 * 3_600_000

/** `unseen`: an attempt failed, and nobody looked before the next one ended. */
type Outcome = 'delivered' | 'failed' | 'exhausted' | 'gone' | 'unseen'

/** An endpoint as the store keeps it, and what people are told of it when they look after each outcome. */
export class FailingEndpoint {
  readonly emitted: EndpointState[] = []
  #now = Date.UTC(2026, 10, 21, 8)
  #health: EndpointHealth | null = null
  #facts = NEVER_TRIED

  take(outcome: Outcome, afterMs: number): void {
    this.#now += afterMs
    if (this.#facts.disabled !== null) return
    if (outcome === 'delivered') this.#succeed()
    else this.#fail(outcome)
    if (outcome !== 'unseen') this.look()
  }

  look(): void {
    if (isGivenUp(this.#facts)) this.#disable('failing')
    const state = nextNotice(this.#health, this.#facts, this.#now)
    if (state === null) return
    this.emitted.push(state)
    const recoveredAt = state === 'ok' ? this.#now : (this.#health?.recoveredAt ?? null)
    this.#health = { state, downSince: null, recoveredAt }
  }

  enable(): void {
    this.#facts = {
      ...this.#facts,
      disabled: null,
      failuresInARow: 0,
      failingSince: null,
      failingForMs: 0,
      exhaustedSince: null,
    }
    this.look()
  }

  #succeed(): void {
    const calm = { failuresInARow: 0, failingSince: null, failingForMs: 0, exhaustedSince: null, lastError: null }
    this.#facts = { ...this.#facts, ...calm, lastSuccessAt: this.#now }
  }

  #fail(outcome: Outcome): void {
    const { failuresInARow, failingSince, failingForMs, lastFailureAt, exhaustedSince } = this.#facts
    const gapMs = failingSince === null || lastFailureAt === null ? 0 : this.#now - lastFailureAt
    this.#facts = {
      ...this.#facts,
      failuresInARow: failuresInARow + 1,
      failingSince: failingSince ?? this.#now,
      failingForMs: failingForMs + Math.min(gapMs, LONGEST_STEP_MS),
      lastFailureAt: this.#now,
      lastError: 'it answered 500',
      exhaustedSince: outcome === 'exhausted' ? (exhaustedSince ?? this.#now) : exhaustedSince,
    }
    if (outcome === 'gone') this.#disable('gone')
  }

  #disable(by: 'gone' | 'failing'): void {
    this.#facts = { ...this.#facts, disabled: { reason: by, at: this.#now, by } }
  }
}
