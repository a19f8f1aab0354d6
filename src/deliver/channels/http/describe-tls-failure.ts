/** Why no TLS connection came about, in one sentence; null where the code (Node's, OpenSSL's) speaks of something else. */
export function describeTlsFailure(code: string, origin: string): string | null {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `No trusted authority stands behind the certificate of ${origin} (${code}): where it is your own, name it in tls.ca`
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
      return ofAnotherCode(code, origin)
  }
}

function ofAnotherCode(code: string, origin: string): string | null {
  if (/^ERR_SSL_.*ALERT.*(?:CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code))
    return `${origin} does not accept the client certificate, or lacks one (${code}): see tls.cert`
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return `No TLS connection to ${origin} came about (${code}): it may want a client certificate (tls.cert) or another TLS version`
  return /CERT|SIGNATURE|ISSUER|CRL/.test(code) ? `The TLS certificate of ${origin} is not trusted (${code})` : null
}
