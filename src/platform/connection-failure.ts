import { NameFailure } from '../names/name-failure.ts'

const KNOWN: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'reset the connection',
  EPIPE: 'closed the connection before the answer was complete',
  UND_ERR_SOCKET: 'closed the connection before the answer was complete',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
  ETIMEDOUT: 'did not accept the connection in time',
  EHOSTUNREACH: 'cannot be reached over the network',
  ENETUNREACH: 'cannot be reached over the network',
  CERT_HAS_EXPIRED: 'shows a TLS certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a TLS certificate for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'shows a self-signed TLS certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'shows a TLS certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'shows a TLS certificate of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'shows a TLS certificate of an unknown authority',
}

/** What a host did, as the predicate of a sentence: `refused the connection (ECONNREFUSED)`. */
export function describeConnectionFailure(error: unknown): string {
  if (error instanceof NameFailure) return `could not be looked up, because ${error.reason} (${error.code})`
  const code = codeOf(error)
  const known = Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined
  if (known !== undefined) return `${known} (${code})`
  const message = error instanceof Error ? error.message : String(error)
  return `could not be talked to (${code === '' ? message : `${code}: ${message}`})`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
