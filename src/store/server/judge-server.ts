import { DatabaseError } from 'pg'
import { type Connection, ConnectionLost } from './connection.ts'
import { ShipbellError } from '../../errors.ts'

/**
 * Stands for what a server remembers, as a column of a statement. A standby that was promoted, a server that was started anew and
 * tables that were restored may lack the last commits: then rows with the same numbers are other rows.
 */
export const PAST = `concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), to_regclass('events')::oid)`

const TIMELINE = 'SELECT left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline'

/** Which of its lives a server is in: a standby that is promoted begins another one. null: a service does not say so. */
export async function timelineOf(connection: Connection): Promise<string | null> {
  try {
    return (await connection.query<{ timeline: string }>(TIMELINE)).rows[0]?.timeline ?? null
  } catch (error) {
    if (error instanceof DatabaseError) return null
    throw error
  }
}

/** Stands for the tables of one cluster: those that were restored elsewhere are others. */
const PLACE = `SELECT concat_ws(' ', (pg_control_system()).system_identifier, to_regclass('events')::oid) AS place`
/** The last resort of services that hide their cluster. */
const TABLES = `SELECT to_regclass('events')::oid::text AS place`

/** What is another text once the rows of a database may be others by the same numbers: its commits are those of another past. */
export async function lifeOf(connection: Connection): Promise<string> {
  const place = await placeOf(connection, PLACE).catch((error: unknown) => {
    if (error instanceof DatabaseError) return placeOf(connection, TABLES)
    throw error
  })
  return `${place} ${(await timelineOf(connection)) ?? ''}`
}

async function placeOf(connection: Connection, statement: string): Promise<string> {
  return (await connection.query<{ place: string }>(statement)).rows[0]?.place ?? ''
}

/**
 * What the statements rely on, as a server has it unless somebody set it for the database or the role. All else they name themselves,
 * or is the operator's to choose.
 */
const RELIED: Readonly<Record<string, string>> = {
  array_nulls: 'on',
  exit_on_error: 'off',
  extra_float_digits: '1',
  gin_fuzzy_search_limit: '0',
  lock_timeout: '0',
  'plpgsql.extra_errors': 'none',
  'plpgsql.variable_conflict': 'error',
  session_replication_role: 'origin',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
}

type ShownSettings = Readonly<Record<string, string | null>>

/** The settings as a column of a statement. */
const SHOWN_SETTINGS = `json_build_object(${Object.keys(RELIED)
  .map((name) => `'${name}', current_setting('${name}', true)`)
  .join(', ')})`

/**
 * Makes them so. A connection that leads straight to the server keeps them. Behind a pooler, which may hand each transaction to another
 * connection, each transaction begins with what differs.
 */
async function relyOn(connection: Connection, shown: ShownSettings): Promise<void> {
  const differing = Object.entries(RELIED).filter(([name, value]) => (shown[name] ?? value) !== value)
  if (differing.length === 0) return
  const set = (how: 'SET' | 'SET LOCAL') => differing.map(([name, value]) => `${how} ${name} = '${value}'`).join('; ')
  if (connection.isDirect) await connection.script(set('SET'))
  else connection.settings = set('SET LOCAL')
}

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
