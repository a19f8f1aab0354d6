import { isConfirmed } from './expected-due-dates.ts'
import { isInvoice, type AnyFacts, type Invoice } from './facts.ts'

const DAY_MS = 86_400_000

interface Answer {
  /** null: there is no invoice of that reference. */
  readonly facts: AnyFacts | null
  readonly at: number
  /** When the first of the latest such answers came. */
  readonly absentSince: number | null
}

/** An invoice was asked for; `known`: as it was known by then, by a read of `readAt`. */
export interface Fetched {
  readonly facts: AnyFacts | null
  readonly known: AnyFacts | null
  readonly at: number
  readonly readAt: number
}

/** What one process was told of invoices by their reference: before the calendar rings, it has to ask. */
export class Proofs {
  readonly #answers = new Map<string, Answer>()
  /** Since when fetches contradict what is known of an invoice, and when one of them left the decision to its list. */
  readonly #contradictions = new Map<string, { readonly since: number; readonly decidedAt: number | null }>()
  #passedAt = Number.NEGATIVE_INFINITY

  fetched(id: string, fetch: Fetched): void {
    const { facts, known, at } = fetch
    const absentSince = facts === null ? (this.#answers.get(id)?.absentSince ?? at) : null
    this.#answers.set(id, { facts, at, absentSince })
    const isContradicted = isInvoice(facts) && !(isInvoice(known) && isConfirmed(facts, known))
    if (isContradicted) this.#contradicted(id, fetch)
    else this.#contradictions.delete(id)
  }

  /** What both go on telling for a day is decided by a pass that met the invoice after it. */
  #contradicted(id: string, { at, readAt }: Fetched): void {
    const since = this.#contradictions.get(id)?.since ?? at
    const until = since + DAY_MS
    const isDecided = at >= until && readAt >= until && this.#passedAt >= until
    this.#contradictions.set(id, { since, decidedAt: isDecided ? at : null })
  }

  /** Nothing of it is due any more. */
  settled(id: string): void {
    this.#contradictions.delete(id)
  }

  /** Whether fetches contradicted the list for so long that it decides; `since`: what was known at that instant. */
  isOverruled(id: string, since = Number.NEGATIVE_INFINITY): boolean {
    const decidedAt = this.#contradictions.get(id)?.decidedAt ?? null
    return decidedAt !== null && decidedAt >= since
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
    this.#contradictions.delete(id)
  }

  /** What was found is not proved for later; what was not found waits for the next pass. */
  nextRound(): void {
    for (const [id, { facts }] of this.#answers) if (facts !== null) this.#answers.delete(id)
  }

  /** Another process knows nothing of it. */
  forget(): void {
    this.#answers.clear()
    this.#contradictions.clear()
  }
}
