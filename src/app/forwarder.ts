import type { Clock } from '../clock.ts'
import { judgeAnswer } from '../deliver/channels/judge-answer.ts'
import { Receiver, SYSTEM_TLS } from '../deliver/channels/receiver.ts'
import { RenderedBodies } from '../deliver/rendered-bodies.ts'
import { readVersion } from '../version.ts'

interface ForwardedRequest {
  readonly headers: Readonly<Record<string, string>>
  /** The body of the delivery, as it came. */
  readonly body: Buffer
}

/** What a forwarded request was answered; `status` is null where no answer came. */
export interface ForwardedAnswer {
  readonly status: number | null
  /** Why the delivery was not taken, in one sentence; null: it was. */
  readonly error: string | null
  /** The beginning of the body; null: it has none. */
  readonly answer: string | null
  readonly durationMs: number
}

interface ForwarderOptions {
  readonly url: string
  readonly clock: Clock
  /** Cuts what is under way. */
  readonly signal: AbortSignal
}

/** What a developer forwards to is his own: he may name any private place. */
const PRIVATE = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']

/** Shorter than the default deadline of a subscription, whose attempt waits for it. */
const TIMEOUT_MS = 14_000
const CONCURRENCY = 16

/** What speaks of one connection or of one message alone (RFC 9110 section 7.6.1); the next ones have their own. */
const OF_ONE_HOP = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Passes requests on to one URL, each once, with their bodies and headers. */
export class Forwarder implements AsyncDisposable {
  readonly #options: ForwarderOptions
  readonly #receiver: Receiver

  constructor(options: ForwarderOptions) {
    const { clock, url } = options
    this.#options = options
    const limits = { timeoutMs: TIMEOUT_MS, concurrency: CONCURRENCY }
    const context = { clock, version: readVersion(), allowNetworks: PRIVATE, secrets: () => [] }
    this.#receiver = new Receiver(
      { url, ...limits, tls: null, remedies: SYSTEM_TLS, secrets: [] },
      { ...context, bodies: new RenderedBodies() },
    )
  }

  /** Scheme, host and port of the URL. */
  get origin(): string {
    return this.#receiver.origin
  }

  /** Never throws for what the URL or the network does. */
  async forward({ body, headers }: ForwardedRequest): Promise<ForwardedAnswer> {
    const { clock, signal } = this.#options
    const passedOn = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_HOP.has(name)))
    const startedAt = clock.monotonic()
    const outcome = await this.#receiver.post({ headers: passedOn, body }, signal, (answer) =>
      judgeAnswer(answer, this.origin, clock.now()),
    )
    const durationMs = Math.round(clock.monotonic() - startedAt)
    if (outcome.kind === 'cut') return { status: null, error: 'it was stopped', answer: null, durationMs }
    const { answer, status } = outcome
    return { status, error: outcome.kind === 'delivered' ? null : outcome.error, answer, durationMs }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}
