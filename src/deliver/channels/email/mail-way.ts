import type { ConnectorOptions } from '../../../http/connector.ts'
import { verifiedTls } from '../../../http/trust.ts'
import type { EmailChannel } from '../../../model/subscription.ts'
import { parseSmtpServer, smtpDialler } from './smtp-server.ts'

/** A server drops an idle connection after a few minutes; Shipbell closes it earlier. */
const IDLE_MS = 30_000
/** The deadline is the attempt's own; this ends what it leaves behind. */
const BACKSTOP_MS = 1_000

/** Connections to a mail server. Each mail uses them until it is disposed of; once they are retired the last mail closes them. */
export class MailWay implements Disposable {
  readonly transport: ReturnType<typeof pooledTransport>
  /** When the connections were opened, in time that only grows. */
  readonly since: number
  #users = 0
  #isRetired = false

  constructor(transport: ReturnType<typeof pooledTransport>, since: number) {
    this.transport = transport
    this.since = since
  }

  use(): this {
    this.#users += 1
    return this
  }

  retire(): void {
    this.#isRetired = true
    this.#closeIfIdle()
  }

  #closeIfIdle(): void {
    if (this.#isRetired && this.#users === 0) void this.transport.then((transport) => transport.close())
  }

  [Symbol.dispose](): void {
    this.#users -= 1
    this.#closeIfIdle()
  }
}

/** Loads its library only here: few send mail, and it is large. */
export async function pooledTransport(
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
