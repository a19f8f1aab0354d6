import type { NodemailerError } from 'nodemailer/lib/errors'
import { NameFailure } from '../../../names/name-failure.ts'
import { replyText } from './reply-text.ts'

/** Why no mail was taken and no answer says so, in one sentence. */
export function describeSmtpFailure(error: NodemailerError, server: string): string {
  if (error instanceof NameFailure)
    return `The host name of ${server} cannot be resolved (${error.code}): ${error.reason}`
  const code = error.originalCode ?? error.code ?? ''
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EDNS':
      return `The host name of ${server} cannot be resolved (${code})`
    case 'ECONNREFUSED':
      return `${server} refused the connection (${code})`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${server} cannot be reached (${code})`
    case 'ECONNECTION':
    case 'ECONNRESET':
    case 'ESOCKET':
    case 'EPIPE':
      return `${server} closed the connection before it had taken the mail (${code})`
    case 'ENOAUTH':
    case 'EAUTH':
      return `${server} and Shipbell know no way to log in that both have (${code})`
    case 'ETLS':
      return `No TLS connection to ${server} came about, and a login is never sent without (${code}): ${replyText(error.message)}`
    default:
      return tlsFailure(code, server) ?? `Sending through ${server} failed: ${replyText(error.message)}`
  }
}

function tlsFailure(code: string, server: string): string | null {
  if (/SELF_SIGNED|UNABLE_TO_/.test(code))
    return `No trusted authority stands behind the certificate of ${server} (${code}): where it is your own, name it in NODE_EXTRA_CA_CERTS`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of ${server} is for another host name (${code})`
  if (/CERT_|CRL/.test(code)) return `The certificate of ${server} is not valid (${code})`
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return `${server} speaks no TLS on that port, or another version (${code}): smtp:// with STARTTLS, or smtps://?`
  return null
}
