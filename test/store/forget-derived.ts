import Sqlite from 'better-sqlite3'

/** What a store derives from its records and events, as it is. */
export function derived(path: string): readonly (readonly unknown[])[] {
  const db = new Sqlite(path, { readonly: true })
  try {
    return [
      'SELECT account, resource, id, name, status, carrier, lane, due_day, last_event_at FROM records ORDER BY ref',
      'SELECT * FROM terms',
      'SELECT record, terms FROM record_terms',
      'SELECT * FROM dates',
      'SELECT account, shipment, milestone, first, now, revisions, moved_at, day, size FROM slips ORDER BY 1, 2, 3',
    ].map((sql) => db.prepare(sql).raw().all())
  } finally {
    db.close()
  }
}

/** As if it had been filled before due dates were kept. */
export function forgetDueDates(path: string): void {
  const db = new Sqlite(path)
  try {
    db.exec(`UPDATE records SET due_day = NULL; INSERT INTO unfilled VALUES ('due')`)
  } finally {
    db.close()
  }
}

/** As if all of it had been stored before lists were sorted. */
export function forgetListings(path: string): void {
  const db = new Sqlite(path)
  try {
    db.exec('UPDATE records SET ending = -1, eta_at = NULL, drift = NULL, kind = NULL, totals = NULL')
  } finally {
    db.close()
  }
}

/** What the records of a store are listed by. */
export function listings(path: string): readonly unknown[] {
  const db = new Sqlite(path, { readonly: true })
  try {
    return db.prepare('SELECT id, ending, eta_at, drift, kind, totals FROM records ORDER BY ref').raw().all()
  } finally {
    db.close()
  }
}

/** Makes a store what its migration makes of an older one, before it is filled. */
export function forgetDerived(path: string): void {
  const db = new Sqlite(path)
  try {
    db.exec(`
      DELETE FROM terms; DELETE FROM record_terms; DELETE FROM dates; DELETE FROM slips;
      UPDATE records SET name = NULL, status = NULL, carrier = NULL, lane = NULL, due_day = NULL, last_event_at = 0;
      INSERT INTO unfilled VALUES ('records')`)
  } finally {
    db.close()
  }
}
