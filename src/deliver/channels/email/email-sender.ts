import type { NodemailerError } from 'nodemailer/lib/errors'
import { formatDuration } from '../../../model/duration.ts'
import type { EmailChannel } from '../../../model/subscription.ts'
import { systemNames } from '../../../names/system-names.ts'
import { OpenSockets } from '../../../net/open-sockets.ts'
import { redact } from '../../../redact.ts'
import type { BatchPolicy, Batch } from '../../batches.ts'
import { AttemptLimit } from '../http/attempt-limit.ts'
import type { Channel, ChannelContext, SendOutcome } from '../channel.ts'
import { messageRenderer } from '../message-renderer.ts'
import { BURST_POLICY } from './burst-policy.ts'
import { describeSmtpFailure } from './describe-smtp-failure.ts'
import { digestPolicy } from './digest-policy.ts'
import { smtpDialler, type DialOptions } from './dial-smtp.ts'
import { judgeAcceptance, judgeRefusal } from './judge-reply.ts'
import { mailOf } from './mail-of.ts'
import { mailOptions } from './mail-options.ts'
import { parseSmtpServer } from './smtp-server.ts'

/** A server drops what is idle after a few minutes; Shipbell is first. */
const IDLE_MS = 30_000
/** The deadline is the attempt's own; this ends what it leaves behind. */
const BACKSTOP_MS = 1_000

/** Mail through one SMTP server, over connections that are kept for the next one (contract section 6). */
export class EmailSender implements Channel {
  readonly batchPolicy: BatchPolicy
  readonly #channel: EmailChannel
  readonly #context: ChannelContext
  readonly #server: string
  readonly #secrets: readonly string[]
  readonly #sockets = new OpenSockets()
  /** null: nothing was sent yet. */
  #transport: ReturnType<typeof pooledTransport> | null = null

  constructor(channel: EmailChannel, context: ChannelContext) {
    const { host, port, login } = parseSmtpServer(channel.server)
    this.#channel = channel
    this.#context = context
    this.#server = `the mail server ${host}:${port}`
    this.#secrets = [...channel.hidden, ...(login === null ? [] : wireForms(login))]
    this.batchPolicy = channel.digest === null ? BURST_POLICY : digestPolicy(channel.digest)
  }

  async send(batch: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    const { clock } = this.#context
    const { timeoutMs } = this.#channel
    const mail = mailOptions(
      mailOf(batch, { ...this.#channel, render: messageRenderer(this.#channel, this.#context) }),
      this.#channel,
      clock.now(),
    )
    using limit = new AttemptLimit({ clock, timeoutMs, shutdown })
    try {
      this.#transport ??= pooledTransport(this.#channel, {
        sockets: this.#sockets,
        resolve: this.#context.resolve ?? systemNames.resolve,
      })
      const transport = await this.#transport
      const answer = await transport.sendMail({ ...mail, signal: limit.signal })
      return this.#redacted(judgeAcceptance(answer))
    } catch (error) {
      if (limit.reached === 'shutdown') return { kind: 'cut' }
      return this.#redacted(this.#failure(error, limit))
    }
  }

  #failure(error: unknown, limit: AttemptLimit): SendOutcome {
    const nothing = { kind: 'failed', status: null, answer: null, retryAfterMs: null } as const
    if (limit.reached !== null) {
      return {
        ...nothing,
        error: `${this.#server} did not answer within ${formatDuration(this.#channel.timeoutMs)}`,
      }
    }
    const failure: NodemailerError = error instanceof Error ? error : new Error(String(error))
    const { responseCode } = failure
    if (responseCode === undefined) return { ...nothing, error: describeSmtpFailure(failure, this.#server) }
    return judgeRefusal(failure, responseCode, this.#server)
  }

  /** What a server says may echo what it was sent. */
  #redacted(outcome: SendOutcome): SendOutcome {
    const clean = (text: string): string => redact(redact(text, this.#secrets), this.#context.secrets())
    switch (outcome.kind) {
      case 'delivered':
        return { ...outcome, answer: outcome.answer === null ? null : clean(outcome.answer) }
      case 'failed':
      case 'gone':
        return {
          ...outcome,
          answer: outcome.answer === null ? null : clean(outcome.answer),
          error: clean(outcome.error),
        }
      case 'cut':
        return outcome
      default:
        return outcome satisfies never
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sockets.close()
    const transport = await this.#transport
    transport?.close({ force: true })
  }
}

/** A login as it goes over the wire (RFC 4616, AUTH LOGIN). */
function wireForms({ user, pass }: { readonly user: string; readonly pass: string }): readonly string[] {
  return [`\0${user}\0${pass}`, pass].map((text) => Buffer.from(text).toString('base64'))
}

/** Loads its library only here: few send mail, and it is large. */
async function pooledTransport(
  { server, timeoutMs, concurrency }: EmailChannel,
  { sockets, resolve }: Pick<DialOptions, 'sockets' | 'resolve'>,
) {
  const { createTransport } = await import('nodemailer')
  const target = parseSmtpServer(server)
  const { host, port, secure, login } = target
  const backstopMs = timeoutMs + BACKSTOP_MS
  return createTransport({
    pool: true,
    host,
    port,
    secure,
    ...(login === null ? {} : { auth: login }),
    getSocket: smtpDialler({ server: target, timeoutMs: backstopMs, sockets, resolve }),
    maxConnections: concurrency,
    // Only of a mail of which nothing was sent, on a connection that the server had already dropped.
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    connectionTimeout: backstopMs,
    greetingTimeout: backstopMs,
    socketTimeout: backstopMs,
    socketCloseTimeout: 1_000,
    maxResponseSize: 64 * 1_024,
  })
}
