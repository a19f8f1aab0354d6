import { HttpConnection, type HttpRequest } from '../../http/connection.ts'
import { Deadline } from '../../http/deadline.ts'
import { AddressRefused } from '../../http/direct.ts'
import { describeFailure } from '../../http/failure.ts'
import { judgeAddress, type Verdict } from '../../model/address/judge-address.ts'
import { viaProxy } from '../../http/proxy/proxy-server.ts'
import type { ProxySettings, TlsSettings } from '../../model/subscription.ts'
import { redact } from '../../redact.ts'
import { failedWithin, unanswered } from './within-deadline.ts'
import type { ChannelContext, SendOutcome } from './channel.ts'
import type { HttpAnswer } from './judge-answer.ts'

export interface ReceiverOptions {
  readonly url: string
  /** Deadline of one attempt. */
  readonly timeoutMs: number
  /** Connections at once. */
  readonly concurrency: number
  /** How TLS is spoken; null: by the system's authorities, and without client certificate. */
  readonly tls: TlsSettings | null
  /** The proxy that leads to the server; left out or null: it is dialled from here. */
  readonly proxy?: ProxySettings | null | undefined
  /** What an operator does where TLS fails. */
  readonly remedies: TlsRemedies
  /** What kept answers and errors may not show, beyond the secrets of the context. */
  readonly secrets: readonly string[]
  /** How much of an answer's body is read, where more of it decides than its status; left out: what is kept. */
  readonly readBytes?: number
  /** Where a subscription made at run time names the target: what else may be dialled; left out: the operator names it. */
  readonly untrusted?: { readonly networks: readonly string[] } | undefined
}

/** Where the operator says which authorities are trusted and which client certificate is shown. */
interface TlsRemedies {
  readonly authority: string
  readonly clientCertificate: string
}

/** What helps in a channel with `tls`. */
export const TLS_KEYS: TlsRemedies = { authority: 'name it in tls.ca', clientCertificate: 'see tls.cert' }

/** What helps in a channel without `tls`. */
export const SYSTEM_TLS: TlsRemedies = {
  authority: "put it into the system's trust store",
  clientCertificate: 'this channel has none to show',
}

/** Once there is a status, that has decided: of a body no more than this is read, and kept (guarantee S4). */
const KEPT = { bytes: 16 * 1024, of: 'beginning' } as const

/** What is posted; `method`: how, where that is no POST. */
export type Posted = Pick<HttpRequest, 'headers' | 'body'> & { readonly method?: HttpRequest['method'] }

/** A request; `idempotent`: whether it may be sent again on a fresh connection where a reused one dies, as it may by default. */
type Exchanged = Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body'> & { readonly idempotent?: boolean }

type JudgePosted = (answer: HttpAnswer, posted: Posted) => SendOutcome | Posted

/** The HTTP server behind one URL, over guarded connections of its own. Disposing of it drops them. */
export class Receiver implements AsyncDisposable {
  /** What may be said of the URL: neither path nor credentials. */
  readonly origin: string
  /** The name of the server, with the way to it: for sentences about attempts that got no answer. */
  readonly server: string
  readonly #options: ReceiverOptions
  readonly #context: ChannelContext
  readonly #path: string
  readonly #connection: HttpConnection
  #hasAnswered = false

  constructor(options: ReceiverOptions, context: ChannelContext) {
    const { timeoutMs, concurrency, tls, proxy, untrusted, url } = options
    const { clock, allowNetworks, resolve } = context
    this.#options = options
    this.#context = context
    const { origin, pathname, search } = new URL(url)
    this.origin = origin
    this.server = viaProxy(origin, proxy)
    this.#path = pathname + search
    this.#connection = new HttpConnection({
      origin,
      concurrency,
      clock,
      timeoutMs,
      guard:
        untrusted === undefined
          ? (address) => judgeAddress(address, allowNetworks)
          : (address) => judgeUntrusted(address, origin, untrusted.networks),
      tls,
      proxy,
      resolve,
      now: () => clock.monotonic(),
    })
  }

  /** Aborts once this closes. */
  get closing(): AbortSignal {
    return this.#connection.closing
  }

  /**
   * POSTs to the URL: one attempt, whose answer `judge` gets, with what was posted; a message that it gives back is posted in
   * its place at once, within the same deadline. Never throws for what the endpoint or the network does.
   */
  async post(message: Posted, shutdown: AbortSignal, judge: JudgePosted): Promise<SendOutcome> {
    if (shutdown.aborted) return { kind: 'cut' }
    const { timeoutMs } = this.#options
    const deadline = new Deadline({ clock: this.#context.clock, timeoutMs, signal: shutdown })
    try {
      for (let posted = message; ;) {
        const { headers, body, method = 'POST' } = posted
        const answer = await this.exchange({ method, path: this.#path, headers, body }, deadline)
        const verdict = judge(answer, posted)
        if ('kind' in verdict) return verdict
        posted = verdict
      }
    } catch (error) {
      return failedWithin(
        deadline,
        { timeoutMs, server: this.server },
        { error, explain: () => unanswered(this.explain(error)) },
      )
    } finally {
      deadline[Symbol.dispose]()
    }
  }

  /** The answer, the beginning of its body kept and redacted; rejects where none came within the deadline. */
  async exchange(
    { method, path, headers: sent, body: content, idempotent = true }: Exchanged,
    deadline: Deadline,
  ): Promise<HttpAnswer> {
    const { readBytes } = this.#options
    // An event has one id however often it comes, and a failed attempt would be repeated, too.
    const request = {
      method,
      path,
      headers: sent,
      body: content,
      idempotent,
      decode: false,
      statusDecides: true,
      portion: readBytes === undefined ? keptPortion : () => ({ bytes: readBytes, of: 'beginning' }) as const,
    }
    const received = await this.#connection.send(request, deadline)
    if (received.status === null) throw received.flaw
    this.#hasAnswered = true
    const { status } = received
    const { untrusted } = this.#options
    if (untrusted !== undefined) return { status, headers: waitsOf(received.headers), body: null, judged: null }
    const { headers } = received
    const body = textOf(received.chunks, readBytes)
    return { status, headers, body: body === null ? null : this.#redact(body), judged: body }
  }

  /** Why an exchange was rejected, in one sentence, redacted. */
  explain(error: unknown): string {
    const { origin: target, server } = this
    const { remedies, untrusted } = this.#options
    // An address that a name stands for is told to nobody who may not dial it.
    if (untrusted !== undefined && error instanceof AddressRefused)
      return `Nothing was sent to ${server}: ${UNTRUSTED_RULE}`
    return this.#redact(describeFailure(error, 'endpoint', { server, target, hint: this.#tlsHint(), ...remedies }))
  }

  /** TLS 1.3 has no word for a missing client certificate while connecting: the endpoint hangs up on the first request. */
  #tlsHint(): string {
    if (this.#hasAnswered || !this.origin.startsWith('https:')) return ''
    return `; it may want a client certificate, or another one: ${this.#options.remedies.clientCertificate}`
  }

  #redact(text: string): string {
    return redact(redact(text, this.#options.secrets), this.#context.secrets())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}

/** Says nothing of what stands at the address: whoever made it may have named it to find that out. */
function judgeUntrusted(address: string, origin: string, networks: readonly string[]): Verdict {
  const isPublic = judgeAddress(address, []).allowed
  if (isPublic ? origin.startsWith('https:') : judgeAddress(address, networks).allowed) return { allowed: true }
  return { allowed: false, rule: UNTRUSTED_RULE }
}

const UNTRUSTED_RULE =
  'it has an address that is not dialled for subscriptions made at run time: they reach public ones by https, and others that runtime_subscriptions.allow.networks names'

/** What of an answer decides when the next attempt is made. */
function waitsOf(headers: HttpAnswer['headers']): HttpAnswer['headers'] {
  const decisive = new Set(['retry-after', 'date'])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => decisive.has(name)))
}

function keptPortion(): typeof KEPT {
  return KEPT
}

function textOf(chunks: readonly Buffer[], most: number = KEPT.bytes): string | null {
  const firstBytes = chunks.length === 0 ? null : Buffer.concat(chunks).subarray(0, most)
  return firstBytes === null || firstBytes.length === 0 ? null : new TextDecoder().decode(firstBytes, { stream: true })
}
