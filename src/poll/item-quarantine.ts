import { RECORD_OF } from '../model/resource.ts'
import { Quarantine, type Judged, type QuarantineOptions } from './quarantine.ts'

export type ItemQuarantineOptions = Omit<QuarantineOptions, 'via'>

/** The quarantine of what is read by id: no list has passes there, so a reading interval counts as one. */
export class ItemQuarantine {
  readonly #options: QuarantineOptions
  #quarantine: Quarantine
  #startedAt: number

  constructor(options: ItemQuarantineOptions) {
    this.#options = { ...options, via: 'item' }
    this.#quarantine = new Quarantine(this.#options)
    this.#startedAt = options.clock.now()
  }

  async note(judged: Judged): Promise<void> {
    await this.#quarantine.note(judged)
  }

  /** Rings for what was left over by the items that were read together. */
  async endBatch(): Promise<void> {
    const { account, clock, watch } = this.#options
    const provenance = { by: 'items', resource: RECORD_OF[watch], exchanges: [] } as const
    await this.#quarantine.end({ complete: false, provenance })
    const now = clock.now()
    if (now - this.#startedAt < (account.watch[watch]?.everyMs ?? 0)) return
    this.#quarantine = new Quarantine(this.#options)
    this.#startedAt = now
  }
}
