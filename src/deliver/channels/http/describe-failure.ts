import { NameFailure } from '../../../names/name-failure.ts'
import { AddressRefused } from '../../guard/address-refused.ts'
import { describeProtocolFailure, isUnreadable } from '../../../net/protocol-failure.ts'
import { describeTlsFailure, type TlsRemedies } from './describe-tls-failure.ts'

const LONGEST_MESSAGE = 200

export interface HttpFailure {
  readonly error: unknown
  readonly origin: string
  readonly remedies: TlsRemedies
  /** Whether the endpoint has answered before: then it wants no other client certificate. */
  readonly hasAnswered: boolean
}

/** Why no answer came, in one sentence. */
export function describeFailure(failure: HttpFailure): string {
  const { error, origin, remedies } = failure
  if (error instanceof AddressRefused) return `Nothing was sent to ${origin}: ${error.message}`
  if (error instanceof NameFailure)
    return `The host name of ${origin} cannot be resolved (${error.code}): ${error.reason}`
  const named = describeProtocolFailure(error)
  if (named !== null) return `${origin} ${named}`
  if (isUnreadable(error)) return `${origin} did not answer in valid HTTP`
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
      return `${origin} closed the connection without an answer (${code})${tlsHint(failure)}`
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${origin} cannot be reached (${code})`
    default:
      return describeTlsFailure({ code, origin, remedies }) ?? other(error, origin)
  }
}

/** TLS 1.3 has no word for a missing client certificate while connecting: the endpoint hangs up on the request. */
function tlsHint({ origin, remedies, hasAnswered }: HttpFailure): string {
  if (hasAnswered || !origin.startsWith('https:')) return ''
  return `; it may want a client certificate, or another one: ${remedies.clientCertificate}`
}

function other(error: unknown, origin: string): string {
  const message = error instanceof Error ? error.message : String(error)
  return `Sending to ${origin} failed: ${message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_MESSAGE)}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
