import type { EndedSession } from '../ports/admin-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const END = 'INSERT INTO ended_sessions VALUES (:id, :expiresAt) ON CONFLICT DO NOTHING'
const FORGET = 'DELETE FROM ended_sessions WHERE expires_at <= ?'
const ENDED = new Query<EndedSession>(
  'SELECT id, expires_at AS expiresAt FROM ended_sessions WHERE expires_at > ? ORDER BY id',
)

/** Inside the caller's write transaction. Those that are over anyway are forgotten. */
export function endSession(db: Connection, { id, expiresAt }: EndedSession, now: number): void {
  db.run(FORGET, now)
  db.run(END, { id, expiresAt })
}

export function endedSessions(db: Connection, now: number): readonly EndedSession[] {
  return db.all(ENDED, now)
}
