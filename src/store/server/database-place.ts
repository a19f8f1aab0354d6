/** Where a database is, for people: host, port and name, never user or password. */
export function placeOf(url: string): string {
  const { host, hostname, pathname, searchParams } = new URL(url)
  const socket = searchParams.get('host') ?? decodeURIComponent(hostname)
  const name = decodeURIComponent(pathname.slice(1))
  if (socket.startsWith('/')) return `${socket}/${name}`
  return `${host === '' ? 'localhost:5432' : host.includes(':') ? host : `${host}:5432`}/${name}`
}
