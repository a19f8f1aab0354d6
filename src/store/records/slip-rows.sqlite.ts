import type { DateKey } from '../../ledger/dates.ts'
import type { SlipRow } from '../../ledger/slips.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'

const FIND = new Query<KnownSlip>(
  'SELECT ref, moved_at AS movedAt, first, revisions FROM slips WHERE account = ? AND shipment = ? AND milestone = ?',
)
const ADD = `
  INSERT INTO slips (account, shipment, milestone, first, now, revisions, moved_at, day, size)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const MOVE = 'UPDATE slips SET first = ?, now = ?, revisions = ?, moved_at = ?, day = ?, size = ? WHERE ref = ?'
const DROP = 'DELETE FROM slips WHERE ref = ?'

interface KnownSlip {
  readonly ref: number
  readonly movedAt: number
  readonly first: number
  readonly revisions: number
}

export function loadSlip(db: Connection, { account, milestone, shipment }: DateKey): KnownSlip | undefined {
  return db.one(FIND, account, shipment, milestone)
}

/** How far a date is from its first value, from now on. null: it has no row. */
export function saveSlip(
  db: Connection,
  { key: { account, milestone, shipment }, old }: { readonly key: DateKey; readonly old: KnownSlip | undefined },
  slip: SlipRow | null,
): void {
  if (slip === null) {
    if (old !== undefined) db.run(DROP, old.ref)
    return
  }
  const { day, first, movedAt, now, revisions, size } = slip
  if (old === undefined) db.run(ADD, account, shipment, milestone, first, now, revisions, movedAt, day, size)
  else db.run(MOVE, first, now, revisions, movedAt, day, size, old.ref)
}
