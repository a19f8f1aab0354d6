import type { ConnectionOptions } from 'node:tls'
import { ShipbellError } from '../../errors.ts'
import { readNamedText, troubleWords } from '../../named-file.ts'
import { trustSystem } from '../../system-trust.ts'

/** Where a database is, for people: host, port and name, never user or password. */
export function placeOf(url: string): string {
  const { host, hostname, pathname, searchParams } = new URL(url)
  const socket = searchParams.get('host') ?? decodeURIComponent(hostname)
  const name = decodeURIComponent(pathname.slice(1))
  if (socket.startsWith('/')) return `${socket}/${name}`
  return `${host === '' ? 'localhost:5432' : host.includes(':') ? host : `${host}:5432`}/${name}`
}

/** The files that an address names, as the driver names what is in them. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const
/** The value of `sslrootcert` for the certificates of the system, which are taken anyway. */
const SYSTEM = 'system'

/** How a database is dialled: the address says nothing of TLS any more. */
export interface DialledAddress {
  readonly connectionString: string
  readonly ssl: ConnectionOptions | false
}

/**
 * Certificates are verified whenever there is TLS, whatever NODE_TLS_REJECT_UNAUTHORIZED says: with the authorities of `sslrootcert`,
 * or else those of Node and of the system. Throws `store_unusable` for a file that cannot be read.
 */
export function dialledAddress(url: string): DialledAddress {
  const address = new URL(url)
  const { searchParams } = address
  const mode = searchParams.get('sslmode') ?? 'disable'
  const named = Object.entries(FILES).flatMap(([key, option]) => {
    const file = searchParams.get(key)
    searchParams.delete(key)
    return file === null || file === SYSTEM ? [] : [{ key, option, file }]
  })
  searchParams.delete('sslmode')
  const connectionString = address.href
  if (mode === 'disable') return { connectionString, ssl: false }
  trustSystem()
  const read = named.map(({ file, key, option }) => [option, readPem(file, key)] as const)
  return { connectionString, ssl: { ...Object.fromEntries(read), rejectUnauthorized: true } }
}

function readPem(file: string, key: string): string {
  const read = readNamedText(file)
  if ('text' in read) return read.text
  const sentence = `The file ${file}, which ${key} of storage.url names, ${troubleWords(read.trouble)}: correct its path, or its rights.`
  throw new ShipbellError('store_unusable', sentence)
}
