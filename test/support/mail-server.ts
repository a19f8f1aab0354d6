import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly user: string | null
  readonly secure: boolean
  /** As it came over the wire, CRLF and all. */
  readonly raw: string
}

/** What the server answers to a mail it has read: nothing (it takes it), an answer, or a promise of one. */
export type OnMail = (mail: ReceivedMail, session: SMTPServerSession) => Reply | Promise<Reply>
type Reply = string | null

/** It greets at once: the library waits a tenth of a second for clients that talk too soon, at every connection. */
class PromptServer extends SMTPServer {
  override connect(...accepted: Parameters<SMTPServer['connect']>): void {
    super.connect(...accepted)
    const connection = [...this.connections].at(-1)
    if (connection === undefined) return
    const greet = connection.connectionReady.bind(connection)
    connection.connectionReady = () => undefined
    greet()
  }
}

/** A mail server on loopback that takes everything, unless told otherwise; it lives as long as the test. */
export class MailServer implements AsyncDisposable {
  readonly mails: ReceivedMail[] = []
  /** Of every session. */
  readonly sessions = new Set<string>()
  /** Attempts to log in. */
  logins = 0
  onMail: OnMail = () => null
  readonly #server: SMTPServer
  readonly #secure: boolean
  readonly #sockets = new Set<Socket>()

  private constructor(options: SMTPServerOptions) {
    this.#secure = options.secure ?? false
    this.#server = new PromptServer({
      authOptional: true,
      disableReverseLookup: true,
      closeTimeout: 10,
      hideSTARTTLS: options.key === undefined,
      ...options,
      onAuth: (auth, session, callback) => {
        this.logins += 1
        if (options.onAuth === undefined) callback(null, { user: auth.username ?? '' })
        else options.onAuth(auth, session, callback)
      },
      onData: (stream, session, callback) => {
        stream.on('error', () => undefined)
        // A mail that is cut off has nobody left to be answered.
        this.#answer(stream, session, callback).catch(() => undefined)
      },
    })
    this.#server.server.on('connection', (socket) => this.#sockets.add(socket))
    // A client that hangs up is what some tests are about.
    this.#server.on('error', () => undefined)
  }

  async #answer(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    callback: (refused: Error | null) => void,
  ): Promise<void> {
    callback(await this.#take(stream, session))
  }

  /** Resolves to the refusal; null where the mail is taken. */
  async #take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> {
    const raw = await text(stream)
    const { mailFrom, rcptTo } = session.envelope
    this.sessions.add(session.id)
    const mail: ReceivedMail = {
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      user: session.user ?? null,
      secure: session.secure,
      raw,
    }
    const reply = await this.onMail(mail, session)
    if (reply === null) this.mails.push(mail)
    return reply === null ? null : refusal(reply)
  }

  static async start(options: SMTPServerOptions = {}, address = '127.0.0.1'): Promise<MailServer> {
    const server = new MailServer(options)
    server.#server.listen(0, address)
    await once(server.#server.server, 'listening')
    onTestFinished(async () => await server[Symbol.asyncDispose]())
    return server
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.server.address()
    if (address === null || typeof address === 'string') throw new Error('the mail server does not listen')
    return address.port
  }

  url(login = ''): string {
    return `${this.#secure ? 'smtps' : 'smtp'}://${login === '' ? '' : `${login}@`}127.0.0.1:${this.port}`
  }

  get only(): ReceivedMail {
    const [mail] = this.mails
    if (mail === undefined || this.mails.length > 1) throw new Error(`${this.mails.length} mails were received`)
    return mail
  }

  /** Connections that were opened. */
  get connections(): number {
    return this.#sockets.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.server.listening) return
    await new Promise<void>((resolve) => {
      this.#server.close(resolve)
    })
  }

  /** Drops every connection without a word. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** `450 4.2.0 Not now` */
export function refusal(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) })
}
