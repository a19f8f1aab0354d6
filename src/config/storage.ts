import path from 'node:path'
import { z } from 'zod'
import { ShipbellError } from '../errors.ts'
import { serverSecrets } from './channel-secrets.ts'
import { issueOf } from './schema-parts.ts'
import { countFrom, text } from './values.ts'

/** Where state is kept: in a file of this machine, or in a database that several workers share. */
export type StorageSettings = FileStorage | PostgresStorage

export interface FileStorage {
  readonly kind: 'file'
  /** Absolute. */
  readonly path: string
}

export interface PostgresStorage {
  readonly kind: 'postgres'
  /** With the password. */
  readonly url: string
  /** Straight to the server, for what a pooler in between cannot do; null: there is none. */
  readonly listenUrl: string | null
  /** Connections at most. */
  readonly pool: number
}

const FILE = 'shipbell.db'

/** One connection watches the database, two make pages: the others work. */
const FEWEST = 4

const DATABASE =
  'must be the address of a PostgreSQL database such as postgres://user:password@db.example:5432/shipbell, the password percent-encoded (`#` is %23)'
const MODES = ['disable', 'require', 'verify-ca', 'verify-full']
const TLS = `must ask for TLS by \`sslmode\`, which is ${MODES.join(', ')}: with all but the first the server's certificate is verified`

/** The address of a database; null where it is empty, which is what an unset variable with an empty default gives. */
const databaseUrl = z
  .string(DATABASE)
  .superRefine((address, context) => {
    const url = URL.parse(address)
    if (address === '') return
    if (url === null || !isDatabase(url)) context.addIssue(DATABASE)
    else if (!asksForTls(url)) context.addIssue(TLS)
  })
  .transform((address) => (address === '' ? null : address))

/** A `#`, `/` or `?` of a password that is not percent-encoded would end the host: refused, not misread. */
function isDatabase({ protocol, hostname, pathname, hash, port, searchParams }: URL): boolean {
  const isPlace = hostname !== '' || (searchParams.get('host') ?? '') !== ''
  const isOne = !hostname.includes(',') && /^\/[^/]+$/.test(pathname)
  return /^postgres(?:ql)?:$/.test(protocol) && isPlace && isOne && hash === '' && port !== '0'
}

/** Whether an address asks for TLS by `sslmode` alone: the other ways would switch the judgement of certificates off. */
function asksForTls({ searchParams }: URL): boolean {
  const isElsewhere = ['ssl', 'sslnegotiation', 'uselibpqcompat'].some((name) => searchParams.has(name))
  return !isElsewhere && MODES.includes(searchParams.get('sslmode') ?? 'disable')
}

const storage = z
  .strictObject({
    path: text.optional().meta({
      default: FILE,
      description: 'The database file, relative to the configuration; created with mode 0600.',
    }),
    url: databaseUrl
      .optional()
      .describe('A PostgreSQL database in place of `path`, which any number of workers may share.'),
    listen_url: databaseUrl
      .optional()
      .describe('The same database past a pooler such as PgBouncer: idle workers wake sooner.'),
    pool: countFrom(FEWEST).prefault(8).describe('Connections to the database, at most, of each worker.'),
  })
  .superRefine((keys, context) => {
    if (keys.path === undefined || keys.url == null) return
    const message = '`path` and `url` are two stores: remove the one that is not meant'
    context.addIssue(issueOf(message, { key: 'url', rule: true }))
  })

/** The section of the file about it, which is judged alone for commands that need no other. */
export const storageSection = z.strictObject({ storage: storage.prefault({}).describe('Where state is kept.') })

/** A place that is named outside the configuration: the address of a database, or a file, relative to `folder`. Throws `usage`. */
export function storageNamed(place: string, folder: string): StorageSettings {
  if (!/^postgres(?:ql)?:/.test(place)) return storageOf({ path: place, pool: FEWEST }, folder)
  const { data, error } = storage.safeParse({ url: place })
  if (data !== undefined) return storageOf(data, folder)
  throw new ShipbellError(
    'usage',
    `The address of the database ${error.issues.map(({ message }) => message).join('; ')}.`,
  )
}

export function storageOf(keys: z.output<typeof storage>, folder: string): StorageSettings {
  const { listen_url: listenUrl = null, path: file = FILE, pool, url } = keys
  if (url == null) return { kind: 'file', path: path.resolve(folder, file) }
  return { kind: 'postgres', url, listenUrl, pool }
}

/** What may not be shown of where the store is. */
export function storageSecrets(settings: StorageSettings): readonly string[] {
  return settings.kind === 'file' ? [] : [settings.url, settings.listenUrl].flatMap(passwordsOf)
}

function passwordsOf(address: PostgresStorage['listenUrl']): readonly string[] {
  if (address === null) return []
  return [...serverSecrets(address), new URL(address).searchParams.get('password') ?? '']
}
