import type { NodemailerError } from 'nodemailer/lib/errors'
import type { ConnectorOptions } from '../../../http/connector.ts'
import { describeFailure } from '../../../http/failure.ts'
import { OpenSockets } from '../../../http/open-sockets.ts'
import { viaProxy } from '../../../http/proxy/proxy-server.ts'
import { verifiedTls } from '../../../http/trust.ts'
import type { EmailChannel } from '../../../model/subscription.ts'
import { clockTime } from '../../../model/daily-time.ts'
import { redact } from '../../../redact.ts'
import type { BatchPolicy, Batch } from '../../batches.ts'
import { unanswered, withinDeadline } from '../within-deadline.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import type { Channel, ChannelContext, SendOutcome } from '../channel.ts'
import { messageRenderer } from '../message-renderer.ts'
import { judgeAcceptance, judgeRefusal, replyText } from './judge-reply.ts'
import { BURST_POLICY, digestPolicy } from './mail-batches.ts'
import { mailOf, mailOptions } from './mail-of.ts'
import { smtpDialler, parseSmtpServer } from './smtp-server.ts'

export const EMAIL: ChannelKindOf<EmailChannel> = {
  open: (channel, context) => new EmailSender(channel, context),
  preview: (channel, batch, context) => {
    const { subject, text, html } = mailOf(batch, { ...channel, render: messageRenderer(channel, context) })
    return { text: `Subject: ${subject}\n\n${text}`, body: { subject, text, html }, html }
  },
  outline: ({ digest, from, to }) => [
    { name: 'Mails to', value: to.join(', ') },
    { name: 'From', value: from },
    ...(digest === null ? [] : [{ name: 'Digest', value: digestTime(digest) }]),
  ],
  sendsAsOne: ({ digest }) => digest !== null,
}

function digestTime({ atMinutes, every, timeZone }: NonNullable<EmailChannel['digest']>): string {
  return `every ${every === 'week' ? 'Monday' : 'day'} at ${clockTime(atMinutes)}, ${timeZone}`
}

/** A server drops an idle connection after a few minutes; Shipbell closes it earlier. */
const IDLE_MS = 30_000
/** The deadline is the attempt's own; this ends what it leaves behind. */
const BACKSTOP_MS = 1_000
/** What an operator does where nobody vouches for a certificate. */
const AUTHORITY = 'name it in `tls.ca` of `smtp`'

/** Mail through one SMTP server, over connections that are kept for the next one (guarantee S2). */
class EmailSender implements Channel {
  readonly batchPolicy: BatchPolicy
  readonly #channel: EmailChannel
  readonly #context: ChannelContext
  readonly #target: string
  /** The same, with the way to it. */
  readonly #server: string
  readonly #secrets: readonly string[]
  readonly #sockets = new OpenSockets()
  /** null: nothing was sent yet. */
  #transport: ReturnType<typeof pooledTransport> | null = null

  constructor(channel: EmailChannel, context: ChannelContext) {
    const { host, port, login } = parseSmtpServer(channel.server)
    const server = `the mail server ${host}:${port}`
    this.#channel = channel
    this.#context = context
    this.#target = server
    this.#server = viaProxy(server, channel.proxy)
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
    return await withinDeadline(
      { clock, timeoutMs, shutdown, server: this.#server },
      async ({ signal }) => {
        this.#transport ??= pooledTransport(this.#channel, {
          sockets: this.#sockets,
          clock,
          resolve: this.#context.resolve,
        })
        const transport = await this.#transport
        return this.#redacted(judgeAcceptance(await transport.sendMail({ ...mail, signal })))
      },
      (error) => this.#redacted(this.#failure(error)),
    )
  }

  #failure(error: unknown): SendOutcome {
    const failure: NodemailerError = error instanceof Error ? error : new Error(String(error))
    const { message, responseCode } = failure
    if (responseCode !== undefined) return judgeRefusal(failure, responseCode, this.#target)
    const facts = { server: this.#server, target: this.#target, message: replyText(message), authority: AUTHORITY }
    return unanswered(describeFailure(failure, 'mail', facts))
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
  { server, tls = null, proxy = null, timeoutMs, concurrency }: EmailChannel,
  dialling: Pick<ConnectorOptions, 'sockets' | 'clock' | 'resolve'>,
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
    getSocket: smtpDialler(target, { ...dialling, tls, proxy, timeoutMs: backstopMs }),
    tls: verifiedTls(tls),
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
