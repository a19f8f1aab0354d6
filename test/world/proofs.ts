import { isConfirmed } from './expected-due-dates.ts'
import type { AnyFacts, Invoice } from './facts.ts'

interface Answer {
  /** null: there is no invoice of that reference. */
  readonly facts: AnyFacts | null
  readonly at: number
  /** When the first of the latest such answers came. */
  readonly absentSince: number | null
}

/** What one process was told of invoices by their reference: before the calendar rings, it has to ask. */
export class Proofs {
  readonly #answers = new Map<string, Answer>()
  /** Since when an invoice was asked for in vain. */
  readonly #doubts = new Map<string, number>()
  #passedAt = Number.NEGATIVE_INFINITY

  /** `known`: the invoice as it was known when it was asked for. */
  fetched(
    id: string,
    fetch: { readonly facts: AnyFacts | null; readonly known: AnyFacts | null; readonly at: number },
  ) {
    const { facts, known, at } = fetch
    const absentSince = facts === null ? (this.#answers.get(id)?.absentSince ?? at) : null
    this.#answers.set(id, { facts, at, absentSince })
    if (isInvoice(facts) && isInvoice(known) && isConfirmed(facts, known)) this.#doubts.delete(id)
    else this.failed(id, at)
  }

  /** A fetch told nothing, or nothing that confirms what is known. */
  failed(id: string, at: number): void {
    if (!this.#doubts.has(id)) this.#doubts.set(id, at)
  }

  /** Nothing of it is due any more. */
  settled(id: string): void {
    this.#doubts.delete(id)
  }

  /** Whether a pass has met the invoice, which was read at `readAt`, since it was first asked for in vain. */
  isMetInDoubt(id: string, readAt: number): boolean {
    const since = this.#doubts.get(id)
    return since !== undefined && readAt >= since && this.#passedAt >= since
  }

  /** A complete pass over the invoices ended. */
  passEnded(at: number): void {
    this.#passedAt = at
  }

  /** Whether the invoice that was read at `readAt` is proved: by a fetch, or where that found none by a pass since. */
  isVerified(id: string, facts: Invoice, readAt: number): boolean {
    const answer = this.#answers.get(id)
    if (answer === undefined) return false
    const { absentSince } = answer
    if (absentSince !== null) return readAt >= absentSince && this.#passedAt >= absentSince
    return isInvoice(answer.facts) && isConfirmed(answer.facts, facts)
  }

  /** Whether a fetch proved the invoice as it was already known. */
  isConfirmed(id: string, facts: Invoice, readAt: number): boolean {
    const answer = this.#answers.get(id)
    return answer?.absentSince === null && answer.at >= readAt && this.isVerified(id, facts, readAt)
  }

  /** It rang: the next time takes a new proof. */
  spend(id: string): void {
    this.#answers.delete(id)
    this.#doubts.delete(id)
  }

  /** What was found is not proved for later; what was not found waits for the next pass. */
  nextRound(): void {
    for (const [id, { facts }] of this.#answers) if (facts !== null) this.#answers.delete(id)
  }

  /** Another process knows nothing of it. */
  forget(): void {
    this.#answers.clear()
    this.#doubts.clear()
  }
}

function isInvoice(facts: AnyFacts | null): facts is Invoice {
  return facts !== null && 'lines' in facts
}
