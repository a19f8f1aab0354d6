import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'

export const LINK_LASTS_MS = 60_000
/** Far more than a person asks for in a minute; the oldest is forgotten. */
const MOST_CODES = 100

/** Codes that sign a browser in once, in place of a token, which has no business in an address. */
export class LoginLinks {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #codes = new Map<string, { readonly token: string; readonly until: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** A code for who showed this token. */
  issue(token: string): string {
    const code = randomBytes(32).toString('base64url')
    const [oldest] = this.#codes.keys()
    if (oldest !== undefined && this.#codes.size >= MOST_CODES) this.#codes.delete(oldest)
    this.#codes.set(code, { token, until: this.#clock.monotonic() + LINK_LASTS_MS })
    return code
  }

  /** The token that a code stands for, once; null: it is unknown, used or too old. */
  redeem(code: string): string | null {
    const known = this.#codes.get(code)
    this.#codes.delete(code)
    return known !== undefined && this.#clock.monotonic() < known.until ? known.token : null
  }
}
