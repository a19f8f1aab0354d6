import type { NodemailerError } from 'nodemailer/lib/errors'
import { Deadline } from '../../../http/deadline.ts'
import { describeFailure } from '../../../http/failure.ts'
import { OpenSockets } from '../../../http/open-sockets.ts'
import { viaProxy } from '../../../http/proxy/proxy-server.ts'
import type { EmailChannel } from '../../../model/subscription.ts'
import { clockTime } from '../../../model/daily-time.ts'
import { redact } from '../../../redact.ts'
import type { BatchPolicy, Batch } from '../../batches.ts'
import { failedWithin, unanswered } from '../within-deadline.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import type { Channel, ChannelContext, SendOutcome, SentPart } from '../channel.ts'
import { messageRenderer } from '../message-renderer.ts'
import { judgeAcceptance, judgeRefusal, replyText, type Answering } from './judge-reply.ts'
import { BURST_POLICY, digestPolicy } from './mail-batches.ts'
import { partOutcome, type Fate, type Fates, type MailPart } from './mail-fates.ts'
import { mailOf, mailOptions } from './mail-of.ts'
import { MailWay, pooledTransport } from './mail-way.ts'
import { byStanding, halvesOf } from './mail-parts.ts'
import { parseSmtpServer } from './smtp-server.ts'

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
  batchPolicy: policyOf,
  sendsAsOne: ({ digest }) => digest !== null,
}

function policyOf({ digest }: EmailChannel): BatchPolicy {
  return digest === null ? BURST_POLICY : digestPolicy(digest)
}

function digestTime({ atMinutes, every, timeZone }: NonNullable<EmailChannel['digest']>): string {
  return `every ${every === 'week' ? 'Monday' : 'day'} at ${clockTime(atMinutes)}, ${timeZone}`
}

const LONGEST_USE_MS = 60_000
/** What an operator does where nobody vouches for a certificate. */
const AUTHORITY = 'name it in `tls.ca` of `smtp`'

/** Mail through one SMTP server, over connections that are kept for the next one (guarantee S2). */
class EmailSender implements Channel {
  readonly batchPolicy: BatchPolicy
  readonly #channel: EmailChannel
  readonly #context: ChannelContext
  readonly #target: string
  /** The name of the server, with the way to it. */
  readonly #server: string
  readonly #secrets: readonly string[]
  readonly #sockets = new OpenSockets()
  /** The way that mail went last; null: nothing was sent yet. */
  #way: MailWay | null = null

  constructor(channel: EmailChannel, context: ChannelContext) {
    const { host, port, login } = parseSmtpServer(channel.server)
    const server = `the mail server ${host}:${port}`
    this.#channel = channel
    this.#context = context
    this.#target = server
    this.#server = viaProxy(server, channel.proxy)
    this.#secrets = [...channel.hidden, ...(login === null ? [] : wireForms(login))]
    this.batchPolicy = policyOf(channel)
  }

  /**
   * One attempt. A mail that its server calls too big goes in halves within it. Deliveries of which some recipients have the mail
   * already go by themselves, to the others.
   */
  async send(batch: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    if (shutdown.aborted) return { kind: 'cut' }
    using deadline = new Deadline({
      clock: this.#context.clock,
      timeoutMs: this.#channel.timeoutMs,
      signal: shutdown,
    })
    const sent: SentPart[] = []
    for (const { deliveries, standing } of byStanding(batch, this.#channel.to))
      for (const part of await this.#handIn(deliveries, standing.open, deadline))
        sent.push(partOutcome(part, standing.before, this.#target))
    const [first] = sent
    if (first === undefined) return { kind: 'cut' }
    return sent.length === 1 ? first.outcome : { ...first.outcome, parts: sent }
  }

  async #handIn(batch: Batch, to: readonly string[], deadline: Deadline): Promise<readonly MailPart[]> {
    const fates = to.length === 0 ? new Map() : await this.#handInOnce(batch, to, deadline)
    const tooBig = [...fates].flatMap(([address, { isTooBig }]) => (isTooBig ? [address] : []))
    const halves = tooBig.length === 0 ? [] : halvesOf(batch)
    if (halves.length === 0) return [{ batch, fates }]
    const parts: MailPart[] = []
    for (const half of halves)
      for (const part of await this.#handIn(half, tooBig, deadline))
        parts.push({ ...part, fates: new Map([...fates, ...part.fates]) })
    return parts
  }

  async #handInOnce(batch: Batch, to: readonly string[], deadline: Deadline): Promise<Fates> {
    const { clock } = this.#context
    const { from, timeoutMs } = this.#channel
    const options = { ...this.#channel, render: messageRenderer(this.#channel, this.#context) }
    const mail = { ...mailOptions(mailOf(batch, options), this.#channel, clock.now()), envelope: { from, to: [...to] } }
    const same = (outcome: SendOutcome): Fates => new Map(to.map((address) => [address, fateOf(outcome)]))
    try {
      if (deadline.reached !== null) throw new Error('The time for this mail is over.')
      using way = this.#wayNow()
      const transport = await way.transport
      return judgeAcceptance(await transport.sendMail({ ...mail, signal: deadline.signal }), to, this.#answering())
    } catch (error) {
      const failure: NodemailerError = error instanceof Error ? error : new Error(String(error))
      if (deadline.reached === null && failure.responseCode !== undefined)
        return judgeRefusal(failure, to, this.#answering())
      const explain = (): SendOutcome => unanswered(this.#whyUnanswered(failure))
      return same(failedWithin(deadline, { timeoutMs, server: this.#server }, { error, explain }))
    }
  }

  /** Connections are used for a while only, however busy they are: the name of the server may lead elsewhere by now. */
  #wayNow(): MailWay {
    const { clock, resolve } = this.#context
    const now = clock.monotonic()
    if (this.#way !== null && now - this.#way.since >= LONGEST_USE_MS) {
      this.#way.retire()
      this.#way = null
    }
    this.#way ??= new MailWay(pooledTransport(this.#channel, { sockets: this.#sockets, clock, resolve }), now)
    return this.#way.use()
  }

  #whyUnanswered(failure: NodemailerError): string {
    const answering = this.#answering()
    const facts = {
      server: this.#server,
      target: this.#target,
      message: replyText(failure.message, answering),
      authority: AUTHORITY,
    }
    return answering.redacted(describeFailure(failure, 'mail', facts))
  }

  /** Recipients are no part of what the server says: they are kept as they are, so that nobody gets a mail twice. */
  #answering(): Answering {
    return { server: this.#target, redacted: (text) => redact(redact(text, this.#secrets), this.#context.secrets()) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sockets.close()
    const transport = await this.#way?.transport
    transport?.close({ force: true })
  }
}

function fateOf(outcome: SendOutcome): Fate {
  return { outcome, reply: outcome.kind === 'failed' ? outcome.error : '', isTooBig: false }
}

/** A login as it goes over the wire (RFC 4616, AUTH LOGIN). */
function wireForms({ user, pass }: { readonly user: string; readonly pass: string }): readonly string[] {
  return [`\0${user}\0${pass}`, pass].map((text) => Buffer.from(text).toString('base64'))
}
