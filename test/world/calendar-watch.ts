import type { KnownRecords } from './known-records.ts'
import type { Known } from './known.ts'
import { Proofs, type Fetched } from './proofs.ts'
import type { Tally } from './tally.ts'

export interface LivedRound {
  readonly startedAt: number
  /** How far the clock went on while the calendar stood still. */
  readonly lagMs: number
  /** It had every reason to ring what is due. */
  readonly isPatient: boolean
}

export interface CalendarWatchOptions {
  readonly known: KnownRecords
  readonly tally: Tally
  /** The calendar's present. */
  readonly today: () => number
}

/** Whether the calendar rings all that is due, and nothing that was not verified (contract section 3.10). */
export class CalendarWatch {
  readonly #options: CalendarWatchOptions
  readonly #proofs = new Proofs()

  constructor(options: CalendarWatchOptions) {
    this.#options = options
  }

  /** A process begins: nothing was verified for it. */
  started(): void {
    this.#proofs.forget()
  }

  /** An invoice was fetched. */
  fetched(id: string, fetch: Fetched): void {
    this.#proofs.fetched(id, fetch)
  }

  /** A complete pass over the invoices ended. */
  passEnded(at: number): void {
    this.#proofs.passEnded(at)
  }

  /** The calendar looked at a record. */
  ring(key: string): void {
    const { tally } = this.#options
    const known = this.#options.known.get(key)
    if (known === undefined || known.removed) return tally.complain(`${key}: rang though it is not there`)
    const today = this.#options.today()
    if (known.isDue(today)) {
      if (!this.#isProved(known, today)) tally.complain(`${key}: rang unverified`)
      if ('lines' in known.facts) this.#proofs.spend(known.id)
    }
    tally.expect(key, known.ring(today))
  }

  /** A round ended in which the process lived. */
  roundEnded({ startedAt, lagMs, isPatient }: LivedRound): void {
    const { known: records, tally, today } = this.#options
    for (const [key, known] of records.all) {
      const isInvoice = 'lines' in known.facts
      if (isInvoice && (known.removed || !known.isDue(today()))) this.#proofs.settled(known.id)
      const until = today() - lagMs
      if (known.removed || !known.emitted || !known.isDue(until)) continue
      const wasRead = known.readAt >= startedAt
      const mayRing = isInvoice ? isPatient : 'cargo' in known.facts
      if ((wasRead && mayRing) || this.#isConfirmed(known)) tally.complain(`${key}: did not ring`)
    }
  }

  nextRound(): void {
    this.#proofs.nextRound()
  }

  #isProved(known: Known, today: number): boolean {
    const { facts, id, readAt } = known
    if (!('lines' in facts)) return known.wasReadSinceDue(today)
    return this.#proofs.isVerified(id, facts, readAt) || this.#proofs.isOverruled(id)
  }

  #isConfirmed(known: Known): boolean {
    const { facts, id, readAt } = known
    if (!('lines' in facts)) return false
    return this.#proofs.isConfirmed(id, facts, readAt) || this.#proofs.isOverruled(id, readAt)
  }
}
