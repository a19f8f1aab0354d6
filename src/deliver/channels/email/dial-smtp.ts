import { connect, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { SMTPTransportGetSocket } from 'nodemailer/lib/smtp-transport'
import { lookupBy } from '../../../names/lookup-by.ts'
import type { Resolve } from '../../../names/resolve.ts'
import type { OpenSockets } from '../../../net/open-sockets.ts'
import type { SmtpServer } from './smtp-server.ts'

export interface DialOptions {
  readonly server: SmtpServer
  readonly timeoutMs: number
  /** Gets every connection, also while it is made. */
  readonly sockets: OpenSockets
  readonly resolve: Resolve
}

/**
 * Opens connections for nodemailer, whose own way to resolve names passes the hosts file and the process's places by. A connection
 * that carries a login must be TLS before the login is sent, unless it leads to this machine.
 */
export function smtpDialler({ server, timeoutMs, sockets, resolve }: DialOptions): SMTPTransportGetSocket {
  const { host, port, login } = server
  const lookup = lookupBy(resolve)
  return (_options, callback) => {
    const socket = connect({ host, port, lookup, autoSelectFamily: true })
    sockets.add(socket)
    const deadline = setTimeout(() => socket.destroy(timedOut()), timeoutMs)
    const done = (error: Error | null): void => {
      clearTimeout(deadline)
      socket.removeAllListeners('error')
      socket.removeAllListeners('connect')
      if (error !== null) callback(error)
      else callback(null, { connection: socket, requireTLS: login !== null && !leadsToThisMachine(socket) })
    }
    socket.once('error', done)
    socket.once('connect', () => done(null))
  }
}

function leadsToThisMachine({ remoteAddress }: Socket): boolean {
  return (
    remoteAddress !== undefined && ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
  )
}

function timedOut(): Error {
  return Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })
}
