import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { SMTPTransportGetSocket } from 'nodemailer/lib/smtp-transport'
import { connector, type ConnectorOptions } from '../../../http/connector.ts'

/** Where mail is handed in, of `smtp[s]://user:password@host:port`. */
interface SmtpServer {
  /** Without the brackets of IPv6. */
  readonly host: string
  readonly port: number
  /** TLS from the first byte; else STARTTLS where it is offered. */
  readonly secure: boolean
  readonly login: { readonly user: string; readonly pass: string } | null
}

const SUBMISSION_PORT = 587
const SUBMISSIONS_PORT = 465

export function parseSmtpServer(server: string): SmtpServer {
  const url = new URL(server)
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    login: url.username === '' ? null : { user: decoded(url.username), pass: decoded(url.password) },
  }
}

/** A percent sign that encodes nothing is meant as one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Opens connections for nodemailer, whose own way to resolve names ignores the hosts file and the limits of `NameResolver`. A
 * connection that carries a login must be TLS before the login is sent, unless it leads to this machine.
 */
export function smtpDialler({ host, port, login }: SmtpServer, options: ConnectorOptions): SMTPTransportGetSocket {
  const connect = connector(options)
  // Its own end says nothing of where the mail goes.
  const isDirect = options.proxy == null
  // nodemailer speaks TLS itself.
  const target = { hostname: host, protocol: 'smtp:', port: String(port) }
  return (_options, callback) => {
    connect(target, (error, socket) => {
      if (socket === null) callback(error)
      else
        callback(null, { connection: socket, requireTLS: login !== null && !(isDirect && leadsToThisMachine(socket)) })
    })
  }
}

function leadsToThisMachine({ remoteAddress }: Socket): boolean {
  return (
    remoteAddress !== undefined && ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
  )
}
