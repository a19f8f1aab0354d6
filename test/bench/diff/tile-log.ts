import Sqlite from 'better-sqlite3'

/** As many events as the log is read by at once: no record is twice on a page. */
const BLOCK = 100
const HOUR = 3_600_000

/**
 * Makes a log `times` as long, of as many shipments more: each block of events is followed by the same of other shipments, and time is divided
 * anew among all. Their records are the same documents, so that a million events are made in a minute; each page still unpacks its own.
 */
export function tileLog(path: string, times: number): void {
  const db = new Sqlite(path)
  db.pragma('foreign_keys = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -400000')
  db.exec(`BEGIN; ${tiles(times)} ${totals()} COMMIT; PRAGMA wal_checkpoint(TRUNCATE);`)
  db.close()
}

function tiles(times: number): string {
  const nth = `((ref - 1) / ${BLOCK} * ${times} + k) * ${BLOCK} + (ref - 1) % ${BLOCK} + 1`
  return `
    CREATE TEMP TABLE one AS SELECT * FROM events;
    CREATE TEMP TABLE span AS SELECT min(stored_at) AS first, (max(stored_at) - min(stored_at)) * 1.0 / count(*) / ${times} AS step FROM one;
    CREATE TEMP TABLE many AS
    WITH RECURSIVE tile(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM tile WHERE k < ${times - 1})
    SELECT one.*, k, ${nth} AS place, cast(first + step * (${nth}) AS INTEGER) - stored_at AS later FROM one, tile, span;
    DELETE FROM events;
    INSERT INTO events (ref, id, account, sequence, type, resource, subject_id, subject_version, previous_event_id, timestamp, stored_at,
      not_before, not_after, cause, sighting, object_body, before_body, shipment, extras, changes, previous)
    SELECT place, ${named('id')}, account, place, type, resource, ${named('subject_id')}, subject_version, ${named('previous_event_id')},
      timestamp + later, stored_at + later, not_before + later, not_after + later, cause, sighting, object_body, before_body,
      json_set(shipment, '$.id', ${named("shipment ->> '$.id'")}, '$.name', ${named("shipment ->> '$.name'")}), extras, changes, previous
    FROM many ORDER BY place;
    DROP TABLE many; DROP TABLE one;`
}

/** A name in a tile; the first keeps its own. */
function named(name: string): string {
  return `CASE k WHEN 0 THEN ${name} ELSE ${name} || '-' || k END`
}

/** What commits keep beside events. */
function totals(): string {
  return `
    DELETE FROM event_hours; DELETE FROM log_hours; DELETE FROM log_spans;
    INSERT INTO event_hours SELECT stored_at - stored_at % ${HOUR}, ifnull(account, ''), type, count(*) FROM events GROUP BY 1, 2, 3;
    INSERT INTO log_hours SELECT stored_at - stored_at % ${HOUR}, min(ref) FROM events GROUP BY 1;
    INSERT INTO log_spans SELECT ref >> 12, count(*), count(expired_at), min(stored_at), max(stored_at) FROM events GROUP BY 1;
    UPDATE accounts SET last_sequence = ifnull((SELECT max(sequence) FROM events WHERE events.account = accounts.account), last_sequence);`
}
