import type { Clock } from '../../clock.ts'

const WINDOW_MS = 5 * 60_000
const FAILURES_OF_CLIENT = 10
const FAILURES_OF_PEER = 100
const MOST_CLIENTS = 1_000

/** Who tries to sign in: the other end of the connection, and the client that it says it stands for, if it is a proxy. */
export interface LoginClient {
  readonly peer: string
  readonly behind: string | null
}

interface Failures {
  readonly since: number
  readonly amount: number
}

/**
 * Slows down guessing, by client, so that nobody is locked out by somebody else. A proxy names its clients; who only claims to
 * be one is limited by its own address. Keeps a bounded number of clients: the one that failed longest ago is forgotten first.
 */
export class LoginLimit {
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long this client has to wait (milliseconds); 0: it may try. */
  waitMs(client: LoginClient): number {
    return Math.max(...bucketsOf(client).map(({ name, most }) => this.#waitMs(name, most)))
  }

  failed(client: LoginClient): void {
    for (const { name } of bucketsOf(client)) {
      const { since, amount } = this.#current(name) ?? { since: this.#clock.monotonic(), amount: 0 }
      this.#failures.delete(name)
      this.#failures.set(name, { since, amount: amount + 1 })
    }
    for (const name of this.#failures.keys()) {
      if (this.#failures.size <= MOST_CLIENTS) return
      this.#failures.delete(name)
    }
  }

  #waitMs(name: string, most: number): number {
    const failures = this.#current(name)
    return failures === null || failures.amount < most ? 0 : failures.since + WINDOW_MS - this.#clock.monotonic()
  }

  #current(name: string): Failures | null {
    const failures = this.#failures.get(name)
    return failures !== undefined && failures.since + WINDOW_MS > this.#clock.monotonic() ? failures : null
  }
}

function bucketsOf({ peer, behind }: LoginClient): readonly { readonly name: string; readonly most: number }[] {
  const own = { name: peer, most: behind === null ? FAILURES_OF_CLIENT : FAILURES_OF_PEER }
  return behind === null ? [own] : [own, { name: `${peer} ${behind.slice(0, 64)}`, most: FAILURES_OF_CLIENT }]
}
