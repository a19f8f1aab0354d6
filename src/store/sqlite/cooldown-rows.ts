import type { Cooldown } from '../cooldown-port.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const ALL = new Query<Cooldown>('SELECT address, until FROM rests ORDER BY address')
const SAVE = `
  INSERT INTO rests (address, until) VALUES (:address, :until)
  ON CONFLICT DO UPDATE SET until = max(until, :until)`
const FORGET = 'DELETE FROM rests WHERE until <= ?'

export function loadCooldowns(db: Connection): readonly Cooldown[] {
  return db.all(ALL)
}

/** Runs inside the caller's write transaction; forgets those that are over at `now`. */
export function saveCooldown(db: Connection, { address, until }: Cooldown, now: number): void {
  db.run(FORGET, now)
  db.run(SAVE, { address, until })
}
