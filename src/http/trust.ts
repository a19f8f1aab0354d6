import tls, { type ConnectionOptions } from 'node:tls'
import type { TlsSettings } from '../model/subscription.ts'
import { trustSystem } from '../system-trust.ts'

export type TlsOptions = Pick<ConnectionOptions, 'rejectUnauthorized' | 'secureContext'>

/**
 * Certificates are verified whatever NODE_TLS_REJECT_UNAUTHORIZED says. Node's `ca` would replace the system's authorities, so
 * `tls.ca` is put beside them.
 */
export function verifiedTls(settings: TlsSettings | null): TlsOptions {
  trustSystem()
  const verified = { rejectUnauthorized: true }
  if (settings === null) return verified
  const { ca, cert, key } = settings
  const secureContext = tls.createSecureContext({
    ...(ca === null ? {} : { ca: [...tls.getCACertificates('default'), ca] }),
    ...(cert === null || key === null ? {} : { cert, key }),
  })
  return { ...verified, secureContext }
}
