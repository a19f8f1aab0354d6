import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { SMTPTransportGetSocket } from 'nodemailer/lib/smtp-transport'
import { connector, type ConnectorOptions } from '../../../http/connector.ts'
import type { SmtpServer } from './smtp-server.ts'

/**
 * Opens connections for nodemailer, whose own way to resolve names passes the hosts file and the process's places by. A connection
 * that carries a login must be TLS before the login is sent, unless it leads to this machine.
 */
export function smtpDialler({ host, port, login }: SmtpServer, options: ConnectorOptions): SMTPTransportGetSocket {
  const connect = connector(options)
  // nodemailer speaks TLS itself.
  const target = { hostname: host, protocol: 'smtp:', port: String(port) }
  return (_options, callback) => {
    connect(target, (error, socket) => {
      if (socket === null) callback(error)
      else callback(null, { connection: socket, requireTLS: login !== null && !leadsToThisMachine(socket) })
    })
  }
}

function leadsToThisMachine({ remoteAddress }: Socket): boolean {
  return (
    remoteAddress !== undefined && ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
  )
}
