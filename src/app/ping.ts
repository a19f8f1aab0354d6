import type { Clock } from '../clock.ts'
import type { PingSettings } from '../config/config.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { HttpConnection } from '../http/connection.ts'
import { Deadline } from '../http/deadline.ts'
import { describeFailure } from '../http/failure.ts'
import type { Logger } from '../log.ts'
import { printable } from '../printable.ts'
import { readVersion } from '../version.ts'
import { WakeSignal } from '../wake-signal.ts'

const TIMEOUT_MS = 10_000
/** How soon a process that is not ready is looked at again: nobody is alarmed by a start. */
const LOOK_AGAIN_MS = 5_000
const IDLE_MS = 3_600_000
const ANSWER = { bytes: 4_096, of: 'beginning' } as const

interface PingOptions {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly log: Logger
  readonly isReady: () => Promise<boolean>
}

/**
 * Tells somebody else, every so often, that this process does its work, so that somebody notices when it stops. Nothing depends on
 * what is answered: it is logged, where it became another.
 */
export class Ping {
  readonly #options: PingOptions
  readonly #reloaded = new WakeSignal()
  /** Why the last ping failed; null: it was taken, or there was none. */
  #failure: string | null = null

  constructor(options: PingOptions) {
    this.#options = options
  }

  /** Another configuration is in force. */
  reloaded(): void {
    this.#reloaded.notify()
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, live } = this.#options
    while (!signal.aborted) {
      const { ping } = live.config
      const beganAt = clock.monotonic()
      const waitMs = ping === null ? IDLE_MS : await this.#pingIfReady(ping, signal)
      await this.#reloaded.wait(clock, Math.max(0, waitMs - (clock.monotonic() - beganAt)), signal)
    }
  }

  /** How long to wait, from its beginning, before the next. */
  async #pingIfReady(ping: PingSettings, signal: AbortSignal): Promise<number> {
    if (!(await this.#options.isReady())) return Math.min(ping.everyMs, LOOK_AGAIN_MS)
    const failure = await this.#send(new URL(ping.url), signal)
    if (!signal.aborted) this.#say(failure, ping)
    return ping.everyMs
  }

  /** Why the ping was not taken; null: it was. */
  async #send({ host, origin, pathname, search }: URL, signal: AbortSignal): Promise<string | null> {
    const { clock } = this.#options
    // The target is the operator's own: nobody judges its address.
    await using connection = new HttpConnection({ origin, timeoutMs: TIMEOUT_MS, concurrency: 1, clock })
    using deadline = new Deadline({ clock, timeoutMs: TIMEOUT_MS, signal })
    const request = {
      method: 'GET',
      path: pathname + search,
      headers: { 'user-agent': `shipbell/${readVersion()}` },
      body: null,
      idempotent: true,
      portion: () => ANSWER,
      decode: false,
      statusDecides: true,
    } as const
    const { flaw, status } = await connection.send(request, deadline)
    if (status !== null) return status >= 200 && status < 300 ? null : `It answered ${status}.`
    return printable(describeFailure(flaw, 'endpoint', { server: host, target: host }))
  }

  #say(failure: string | null, { everyMs }: PingSettings): void {
    const { log } = this.#options
    if (failure === null) log.debug('ping.sent')
    if (failure !== null && this.#failure === null)
      log.warn({ error: failure, next: `it is tried again every ${everyMs / 1_000} s` }, 'ping.failed')
    if (failure === null && this.#failure !== null) log.info('ping.recovered')
    this.#failure = failure
  }
}
