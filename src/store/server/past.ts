import { DatabaseError } from 'pg'
import type { Connection } from './connection.ts'

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
