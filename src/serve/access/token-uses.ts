import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { Asker } from '../admin-context.ts'

/** A line says that a token is in use, not how often: a program asks every second. */
const SAYS_EVERY_MS = 3_600_000
/** How many pairs of token and address are remembered: those that were said longest ago are forgotten first. */
const MOST = 1_000

/** Logs the use of narrower tokens: each from each address at most once an hour. */
export class TokenUses {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #log: Logger
  /** When each pair was said last, by the monotonic clock. */
  readonly #said = new Map<string, number>()

  constructor({ clock, log }: { readonly clock: Pick<Clock, 'monotonic'>; readonly log: Logger }) {
    this.#clock = clock
    this.#log = log
  }

  /** Somebody has shown a token, or a session that it opened. */
  seen({ name, role, scope }: Asker, peer: string): void {
    if (scope.kind === 'all') return
    const [now, pair] = [this.#clock.monotonic(), JSON.stringify([name, peer])]
    const before = this.#said.get(pair)
    if (before !== undefined && now - before < SAYS_EVERY_MS) return
    this.#said.delete(pair)
    this.#said.set(pair, now)
    const [oldest] = this.#said.keys()
    if (this.#said.size > MOST && oldest !== undefined) this.#said.delete(oldest)
    this.#log.info({ who: name, role, peer }, 'admin.token_used')
  }
}
