import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
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

/** A mail server on loopback that takes everything, unless told otherwise; it lives as long as the test. */
export class MailServer {
  readonly mails: ReceivedMail[] = []
  /** Of every session. */
  readonly sessions = new Set<string>()
  /** Attempts to log in. */
  logins = 0
  onMail: OnMail = () => null
  readonly #server: SMTPServer
  readonly #secure: boolean

  private constructor(options: SMTPServerOptions) {
    this.#secure = options.secure ?? false
    this.#server = new SMTPServer({
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
        this.sessions.add(session.id)
        void text(stream).then(async (raw) => {
          const { mailFrom, rcptTo } = session.envelope
          const mail: ReceivedMail = {
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            user: session.user ?? null,
            secure: session.secure,
            raw,
          }
          const reply = await this.onMail(mail, session)
          if (reply === null) this.mails.push(mail)
          callback(reply === null ? null : refusal(reply))
        })
      },
    })
    // A client that hangs up is what some tests are about.
    this.#server.on('error', () => undefined)
  }

  static async start(options: SMTPServerOptions = {}, address = '127.0.0.1'): Promise<MailServer> {
    const server = new MailServer(options)
    server.#server.listen(0, address)
    await once(server.#server.server, 'listening')
    onTestFinished(async () => await new Promise<void>((resolve) => void server.#server.close(resolve)))
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

  /** Drops every connection without a word. */
  hangUp(): void {
    for (const { _socket: socket } of this.#connections()) socket.destroy()
  }

  #connections(): readonly { readonly _socket: { destroy: () => void } }[] {
    const { connections } = this.#server as unknown as { connections: Set<{ _socket: { destroy: () => void } }> }
    return [...connections]
  }
}

/** `450 4.2.0 Not now` */
export function refusal(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) })
}
