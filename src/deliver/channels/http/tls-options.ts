import { createSecureContext, getCACertificates } from 'node:tls'
import type { TlsSettings } from '../../../model/subscription.ts'
import type { GuardOptions } from '../../guard/guarded-connector.ts'

/**
 * How connections of one endpoint are secured. Node's `ca` would replace the system's authorities, so `tls.ca` is put beside
 * them. Certificates are verified whatever NODE_TLS_REJECT_UNAUTHORIZED says.
 */
export function tlsOptions(tls: TlsSettings | null): Exclude<GuardOptions['tls'], undefined> {
  const verified = { rejectUnauthorized: true }
  if (tls === null) return verified
  const { ca, cert, key } = tls
  const secureContext = createSecureContext({
    ...(ca === null ? {} : { ca: [...getCACertificates('default'), ca] }),
    ...(cert === null || key === null ? {} : { cert, key }),
  })
  return { ...verified, secureContext }
}
