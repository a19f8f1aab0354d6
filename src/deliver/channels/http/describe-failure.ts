import { NameFailure } from '../../../names/name-failure.ts'
import { AddressRefused } from '../../guard/address-refused.ts'
import { describeTlsFailure, TLS_KEYS, type TlsRemedies } from './describe-tls-failure.ts'

const LONGEST_MESSAGE = 200

/** Why no answer came, in one sentence. */
export function describeFailure(error: unknown, origin: string, remedies: TlsRemedies = TLS_KEYS): string {
  if (error instanceof AddressRefused) return `Nothing was sent to ${origin}: ${error.message}`
  if (error instanceof NameFailure)
    return `The host name of ${origin} cannot be resolved (${error.code}): ${error.reason}`
  const code = codeOf(error)
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name of ${origin} cannot be resolved (${code})`
    case 'ECONNREFUSED':
      return `${origin} refused the connection (${code})`
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return `${origin} closed the connection without an answer (${code})${tlsHint(origin, remedies)}`
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${origin} cannot be reached (${code})`
    default:
      return describeTlsFailure({ code, origin, remedies }) ?? other(error, code, origin)
  }
}

/** TLS 1.3 has no word for a missing client certificate while connecting: the endpoint hangs up on the request. */
function tlsHint(origin: string, { clientCertificate }: TlsRemedies): string {
  return origin.startsWith('https:') ? `; it may want a client certificate, or another one: ${clientCertificate}` : ''
}

function other(error: unknown, code: string, origin: string): string {
  const isUnparsable = error instanceof Error && error.name === 'HTTPParserError'
  if (isUnparsable || /^HPE_|HEADERS_OVERFLOW/.test(code)) return `${origin} did not answer in valid HTTP`
  const message = error instanceof Error ? error.message : String(error)
  return `Sending to ${origin} failed: ${message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_MESSAGE)}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
