import tls, { type ConnectionOptions } from 'node:tls'
import type { TlsSettings } from '../model/subscription.ts'

export type TlsOptions = Pick<ConnectionOptions, 'rejectUnauthorized' | 'secureContext'>

/** That of the process: once for all. */
let isSystemTrusted = false

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

/**
 * Node brings authorities of its own and looks at no others unless a flag of its command line says so. The system's trust store,
 * in which a firm puts its own authority, is added to them: for the whole process, as it is then. It takes some
 * 30 ms and 6 MB, so it waits for the first who speaks TLS.
 */
function trustSystem(): void {
  if (isSystemTrusted) return
  isSystemTrusted = true
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])
}
