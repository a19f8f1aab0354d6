/** Where a database is, for people: host, port and name, never user or password. */
export function placeOf(url: string): string {
  const { host, hostname, pathname, searchParams } = new URL(url)
  const socket = searchParams.get('host') ?? decodeURIComponent(hostname)
  const name = decodeURIComponent(pathname.slice(1))
  if (socket.startsWith('/')) return `${socket}/${name}`
  return `${host === '' ? 'localhost:5432' : host.includes(':') ? host : `${host}:5432`}/${name}`
}

/** The address as the driver is to take it: certificates are verified whenever there is TLS. */
export function addressFor(url: string): string {
  const address = new URL(url)
  const { searchParams } = address
  const mode = searchParams.get('sslmode')
  if (mode !== null && mode !== 'disable') searchParams.set('sslmode', 'verify-full')
  // Those of the system are taken anyway.
  if (searchParams.get('sslrootcert') === 'system') searchParams.delete('sslrootcert')
  return address.href
}
