import type { Rest } from '../rest-port.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const ALL = new Query<Rest>('SELECT address, until FROM rests ORDER BY address')
const SAVE = `
  INSERT INTO rests (address, until) VALUES (:address, :until)
  ON CONFLICT DO UPDATE SET until = max(until, :until)`
const FORGET = 'DELETE FROM rests WHERE until <= ?'

export function loadRests(db: Connection): readonly Rest[] {
  return db.all(ALL)
}

/** Runs inside the caller's write transaction; forgets those that are over at `now`. */
export function saveRest(db: Connection, { address, until }: Rest, now: number): void {
  db.run(FORGET, now)
  db.run(SAVE, { address, until })
}
