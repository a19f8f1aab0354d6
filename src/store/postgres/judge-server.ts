import { ShipbellError } from '../../errors.ts'
import { type Connection, ConnectionLost } from './connection.ts'

const WHO = `SELECT pg_is_in_recovery() AS recovering, current_setting('server_version_num')::int AS version`
const OLDEST = 15

/** Throws where a connection leads to no server of use: `ConnectionLost` for a standby, which another one may not be. */
export function judgeServer(place: string): (connection: Connection) => Promise<void> {
  return async (connection) => {
    const { rows } = await connection.query<{ recovering: boolean; version: number }>(WHO)
    const version = Math.trunc((rows[0]?.version ?? 0) / 10_000)
    if (version < OLDEST) {
      const sentence = `The database ${place} is PostgreSQL ${version}: Shipbell needs ${OLDEST} or newer.`
      throw new ShipbellError('store_unusable', sentence)
    }
    if (rows[0]?.recovering !== false) throw new ConnectionLost('it is a standby', {})
  }
}
