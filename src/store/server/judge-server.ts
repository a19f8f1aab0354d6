import { ShipbellError } from '../../errors.ts'
import { type Connection, ConnectionLost } from './connection.ts'
import { PAST } from './past.ts'
import { relyOn, SHOWN_SETTINGS, type ShownSettings } from './relied-settings.ts'

const WHO = `SELECT pg_is_in_recovery() AS recovering, current_setting('server_version_num')::int AS version,
  current_setting('server_encoding') AS encoding, current_setting('default_transaction_isolation') AS isolation,
  pg_backend_pid() AS pid, ${PAST} AS past, ${SHOWN_SETTINGS} AS settings`
const OLDEST = 15
/** Whoever waited for a lock sees what its holder has written. */
const ISOLATION = 'read committed'

interface Server {
  readonly recovering: boolean
  readonly version: number
  readonly encoding: string
  readonly isolation: string
  /** The id of the server's process that answers. */
  readonly pid: number
  readonly past: string
  readonly settings: ShownSettings
}

/** Throws where a connection leads to no server of use: `ConnectionLost` for a standby, which another one may not be. */
export function judgeServer(place: string): (connection: Connection) => Promise<void> {
  return async (connection) => {
    const { rows } = await connection.query<Server>(WHO)
    const [server] = rows
    const problem = server === undefined ? null : problemOf(server, place)
    if (problem !== null) throw new ShipbellError('store_unusable', problem)
    connection.leadsTo(server?.pid ?? 0)
    if (server?.recovering !== false) throw new ConnectionLost('it is a standby', {})
    await relyOn(connection, server.settings)
    connection.past = server.past
  }
}

/** What no other connection to the same database mends. */
function problemOf({ encoding, isolation, version }: Server, place: string): string | null {
  const major = Math.trunc(version / 10_000)
  if (major < OLDEST) return `The database ${place} is PostgreSQL ${major}: Shipbell needs ${OLDEST} or newer.`
  if (encoding !== 'UTF8')
    return `The database ${place} has the encoding ${encoding}: create one with ENCODING 'UTF8', and name it in storage.url.`
  if (isolation !== ISOLATION)
    return `The database ${place} has ${isolation} as default_transaction_isolation: set ${ISOLATION} for the user in storage.url, by ALTER ROLE.`
  return null
}
