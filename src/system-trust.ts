import tls from 'node:tls'

/** Whether the system's trust store is taken up: once for all, as it is of the process. */
let isSystemTrusted = false

/**
 * Node brings authorities of its own and looks at no others unless a flag of its command line says so. The system's trust store,
 * in which a firm puts its own authority, is added to them: for the whole process, as it is then. It takes some
 * 30 ms and 6 MB, so it waits for the first who speaks TLS.
 */
export function trustSystem(): void {
  if (isSystemTrusted) return
  isSystemTrusted = true
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])
}
