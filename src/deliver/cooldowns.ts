import type { Cooldown } from '../model/attempt-result.ts'
import type { WaitStore } from '../store/ports/delivery-port.ts'

/** Which addresses asked to be left alone: this binds every subscription that sends there, and the next process too. */
export class Cooldowns {
  readonly #until = new Map<string, number>()
  #recalled = false

  /** Reads, once, the cooldowns that earlier processes were asked for. */
  async recall(store: Pick<WaitStore, 'waits'>): Promise<void> {
    if (this.#recalled) return
    const { cooldowns } = await store.waits()
    for (const cooldown of cooldowns) this.begin(cooldown)
    this.#recalled = true
  }

  begin({ address, until }: Cooldown): void {
    this.#until.set(address, Math.max(until, this.#until.get(address) ?? 0))
  }

  /** The instant until which an address wants nothing; null: it has no cooldown. */
  until(address: string | null, now: number): number | null {
    const until = address === null ? undefined : this.#until.get(address)
    return until !== undefined && until > now ? until : null
  }
}
