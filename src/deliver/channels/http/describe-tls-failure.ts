/** Where the operator says which authorities are trusted and which client certificate is shown. */
export interface TlsRemedies {
  readonly authority: string
  readonly clientCertificate: string
}

/** Of a channel with `tls`. */
export const TLS_KEYS: TlsRemedies = { authority: 'name it in tls.ca', clientCertificate: 'see tls.cert' }

/** Of a channel without. */
export const SYSTEM_TLS: TlsRemedies = {
  authority: 'name its file in NODE_EXTRA_CA_CERTS',
  clientCertificate: 'this channel has none to show',
}

export interface TlsFailure {
  /** Node's or OpenSSL's. */
  readonly code: string
  readonly origin: string
  readonly remedies: TlsRemedies
}

/** Why no TLS connection came about, in one sentence; null where the code speaks of something else. */
export function describeTlsFailure(failure: TlsFailure): string | null {
  const { code, origin, remedies } = failure
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `No trusted authority stands behind the certificate of ${origin} (${code}): where it is your own, ${remedies.authority}`
    case 'CERT_HAS_EXPIRED':
      return `The certificate of ${origin}, or of its authority, has expired (${code})`
    case 'CERT_NOT_YET_VALID':
      return `The certificate of ${origin}, or of its authority, is not valid yet (${code})`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate of ${origin} is for another host name (${code})`
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return `${origin} does not speak TLS on that port (${code})`
    default:
      return ofAnotherCode(failure)
  }
}

function ofAnotherCode({ code, origin, remedies }: TlsFailure): string | null {
  if (/^ERR_SSL_.*ALERT.*(?:CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code))
    return `${origin} does not accept the client certificate, or lacks one (${code}): ${remedies.clientCertificate}`
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return `No TLS connection to ${origin} came about (${code}): it may want a client certificate (${remedies.clientCertificate}) or another TLS version`
  return /CERT|SIGNATURE|ISSUER|CRL/.test(code) ? `The TLS certificate of ${origin} is not trusted (${code})` : null
}
