import type { Cooldown, CooldownStore } from '../store/cooldown-port.ts'

/** As long as any `Retry-After` is believed: a clock that was set says no more than that. */
const LONGEST_MS = 86_400_000

/** Which addresses asked to be left alone: this binds every subscription that sends there, and the next process too. */
export class Cooldowns {
  readonly #until = new Map<string, number>()
  #recalled = false

  /** What earlier processes were asked, read once. */
  async recall(store: CooldownStore): Promise<void> {
    if (this.#recalled) return
    for (const cooldown of await store.cooldowns()) this.begin(cooldown)
    this.#recalled = true
  }

  begin({ address, until }: Cooldown): void {
    this.#until.set(address, Math.max(until, this.#until.get(address) ?? 0))
  }

  /** Until when an address rests; null: it does not. */
  until(address: string | null, now: number): number | null {
    const until = address === null ? undefined : this.#until.get(address)
    return until !== undefined && until > now && until <= now + LONGEST_MS ? until : null
  }
}
