import Sqlite from 'better-sqlite3'
import { expect } from 'vitest'

interface Row {
  /** Of the event. */
  readonly id: string
  readonly state: string
}

/** Every row of the ledger of a store, which has to be whole. */
export function ledgerOf(file: string): readonly Row[] {
  const sqlite = new Sqlite(file, { readonly: true })
  const sql = 'SELECT e.id, d.state FROM deliveries d JOIN events e ON e.ref = d.event'
  const rows = sqlite.prepare<[], Row>(sql).all()
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  sqlite.close()
  return rows
}
