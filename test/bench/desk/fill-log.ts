import Sqlite from 'better-sqlite3'
import { OTHERS, type DeskSize } from './desk-size.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
/** The log of four weeks. */
const SPAN = 28 * DAY
/** A 64-bit step that visits all subjects in no visible order. */
const STRIDE = 7_919

/**
 * What four weeks of changes leave behind, for a store whose records were read: events of ten kinds about shipments, their tracking
 * and invoices, of which three in ten move an arrival; two deliveries for each with their attempts, one endpoint that fails,
 * one that is shut, one that fails now and then; and some records that cannot be understood.
 */
export function fillLog(path: string, { events, shipments }: DeskSize, now: number): void {
  const db = new Sqlite(path)
  db.pragma('foreign_keys = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -400000')
  db.exec(
    `BEGIN; ${subjects(shipments)} ${log(events, now)} ${totals()} ${dates()} ${ledger(now)} ${trouble(now)} COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);`,
  )
  db.exec('DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4')
  db.close()
}

/** Shipments by number, with the invoice of each; every event is about one of them. */
function subjects(shipments: number): string {
  return `
    CREATE TEMP TABLE subjects AS
    SELECT row_number() OVER (ORDER BY shipment.ref) - 1 AS n, shipment.account, shipment.id, shipment.seen_body AS body,
      invoice.id AS invoice, invoice.seen_body AS invoice_body,
      json_object('id', shipment.id, 'name', shipment.name, 'status', shipment.status, 'freight_mode', 'ocean',
        'purchase_order_references', json_array(), 'container_numbers', json_array(), 'master_bill', NULL, 'house_bill', NULL) AS summary
    FROM records AS shipment JOIN records AS invoice
      ON invoice.account = shipment.account AND invoice.resource = 'invoice' AND invoice.id = 'INV-' || shipment.id
    WHERE shipment.resource = 'shipment' ORDER BY shipment.ref LIMIT ${shipments};
    CREATE UNIQUE INDEX temp.subjects_n ON subjects (n);
    CREATE TEMP TABLE amount AS SELECT count(*) AS n FROM subjects;`
}

function log(events: number, now: number): string {
  const step = SPAN / events
  // The nth move of a shipment's arrival leads some hours further from where it was first.
  const arrival = (move: string): string =>
    iso(`${now} + 20 * ${DAY} + (${move}) * (8 + n % 90) * ${HOUR} * (1 - n % 5 / 4 * 2)`)
  return `
    INSERT INTO sightings (told) VALUES (json_object('by', 'page', 'resource', 'shipment', 'exchanges', json_array(json_object(
      'method', 'GET', 'path', '/v1/shipments?skip=0&take=100', 'sentAt', ${now - DAY}, 'answeredAt', ${now - DAY + 120}, 'status', 200, 'bytes', 280000))));
    CREATE TEMP TABLE told AS
    WITH RECURSIVE counted(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM counted WHERE i < ${events - 1})
    SELECT i, i * ${STRIDE} % (SELECT n FROM amount) AS n, i / (SELECT n FROM amount) AS round,
      cast(${now - SPAN} + i * ${step} AS INTEGER) AS at, (i + i / (SELECT n FROM amount)) % 10 AS kind
    FROM counted;
    CREATE TEMP TABLE named AS
    SELECT told.*, subjects.account, subjects.summary,
      CASE WHEN kind = 8 THEN invoice ELSE id END AS subject, CASE WHEN kind = 8 THEN invoice_body ELSE body END AS body,
      CASE kind WHEN 7 THEN 'tracking' WHEN 8 THEN 'invoice' ELSE 'shipment' END AS resource,
      CASE WHEN kind < 3 THEN 'shipment.eta_changed' WHEN 3 = kind THEN 'shipment.etd_changed' WHEN 4 = kind THEN 'shipment.status_changed'
        WHEN 5 = kind THEN 'shipment.booking_updated' WHEN 6 = kind THEN 'shipment.updated' WHEN 7 = kind THEN 'tracking.event_added'
        WHEN 8 = kind THEN 'invoice.status_changed' ELSE 'shipment.container_updated' END AS type,
      CASE WHEN kind < 3 THEN row_number() OVER (PARTITION BY n, kind < 3 ORDER BY i) END AS move,
      row_number() OVER (PARTITION BY account ORDER BY i) AS place
    FROM told JOIN subjects USING (n);
    INSERT INTO events (id, account, sequence, type, resource, subject_id, subject_version, timestamp, stored_at, not_before, not_after,
      cause, sighting, object_body, before_body, shipment, extras, changes)
    SELECT printf('evt_%08x%024x', i * 2654435761 % 4294967296, i), account,
      place + (SELECT last_sequence FROM accounts WHERE accounts.account = named.account), type, resource, subject, round + 1, at, at,
      at - ${2 * 60_000}, at, 'change', (SELECT max(ref) FROM sightings), body, body, summary,
      CASE WHEN move IS NULL THEN json_object('from', 'booked', 'to', 'in_progress') ELSE json_object('date_change', json_object(
        'milestone', 'arrival', 'shift_minutes', (8 + n % 90) * 60, 'from', json_object('date', ${arrival('move - 1')}, 'status', 'estimated'),
        'to', json_object('date', ${arrival('move')}, 'status', 'estimated'), 'first', json_object('date', ${arrival('0')}, 'seen_at', ${iso(`${now - SPAN}`)}),
        'drift_minutes', move * (8 + n % 90) * 60, 'revision', move + 1)) END,
      CASE WHEN move IS NULL THEN json_array(json_object('path', '/status', 'from', 'booked', 'to', 'in_progress'))
        ELSE json_array(json_object('path', '/main_tracking_dates/arrival_date/date', 'from', ${arrival('move - 1')}, 'to', ${arrival('move')})) END
    FROM named ORDER BY i;
    UPDATE bodies SET uses = uses + 1000000;`
}

/** What commits keep beside events. */
function totals(): string {
  return `
    INSERT OR IGNORE INTO event_kinds SELECT DISTINCT account, type, resource FROM events WHERE account IS NOT NULL;
    INSERT OR REPLACE INTO event_hours SELECT stored_at - stored_at % ${HOUR}, ifnull(account, ''), type, count(*) FROM events GROUP BY 1, 2, 3;
    INSERT OR REPLACE INTO log_hours SELECT stored_at - stored_at % ${HOUR}, min(ref) FROM events GROUP BY 1;
    INSERT OR REPLACE INTO log_spans SELECT ref >> 12, count(*), count(expired_at), min(stored_at), max(stored_at) FROM events GROUP BY 1;
    UPDATE accounts SET last_sequence = ifnull((SELECT max(sequence) FROM events WHERE events.account = accounts.account), last_sequence);
    CREATE TEMP TABLE newest AS SELECT account, resource, subject_id, max(ref) AS ref, max(subject_version) AS version FROM events
      WHERE account IS NOT NULL GROUP BY 1, 2, 3;
    UPDATE records SET version = newest.version, last_event_id = events.id, last_event_at = events.stored_at
    FROM newest JOIN events ON events.ref = newest.ref
    WHERE records.account = newest.account AND records.resource = newest.resource AND records.id = newest.subject_id;`
}

function dates(): string {
  return `
    CREATE TEMP TABLE moves AS
    SELECT ref, account, subject_id AS shipment, stored_at AS at, id AS event, ${change('revision')} AS revision,
      ${change('from.date')} AS before, ${change('to.date')} AS date, ${instant('first.date')} AS first, ${instant('to.date')} AS instant
    FROM events WHERE type = 'shipment.eta_changed' AND account IS NOT NULL;
    INSERT INTO dates (account, shipment, milestone, place, seen_at, status, date)
    SELECT account, shipment, 'arrival', 1, at, 'estimated', before FROM moves WHERE revision = 2;
    INSERT INTO dates SELECT account, shipment, 'arrival', revision, at, at, event, 'estimated', date FROM moves;
    INSERT INTO slips (account, shipment, milestone, first, now, revisions, moved_at, day, size)
    SELECT account, shipment, 'arrival', first, instant, max(revision), at, at / ${DAY}, abs(instant - first) / 60000
    FROM moves GROUP BY account, shipment;`
}

/** `erp` has a row of every event, and one of the others has another. */
function ledger(now: number): string {
  const others = OTHERS.map((name, nth) => `WHEN ${nth} THEN '${name}'`).join(' ')
  const failed = `subscription IN ('failing', 'shaky') AND state IN ('pending', 'exhausted')`
  return `
    CREATE TEMP TABLE span AS SELECT max(ref) AS last, min(ref) AS first FROM events;
    CREATE TEMP TABLE rows AS
    SELECT ref AS event, 'erp' AS subscription, 'delivered' AS state, stored_at AS at FROM events WHERE account IS NOT NULL
    UNION ALL
    SELECT ref, CASE ref % ${OTHERS.length} ${others} END, CASE
      WHEN ref % ${OTHERS.length} = 5 AND ref > (SELECT last - (last - first) / 100 FROM span) THEN 'pending'
      WHEN ref % ${OTHERS.length} = 5 AND ref > (SELECT last - (last - first) / 2 FROM span) THEN 'exhausted'
      WHEN ref % ${OTHERS.length} = 6 AND ref > (SELECT last - (last - first) / 2 FROM span) THEN 'held'
      WHEN ref % ${OTHERS.length} = 7 AND ref % 19 = 0 THEN 'exhausted' ELSE 'delivered' END, stored_at
    FROM events WHERE account IS NOT NULL;
    INSERT INTO deliveries (id, event, subscription, lane, state, attempts, round, next_attempt_at, wake_at, last_status, last_error, finished_at)
    SELECT printf('dlv_%032x', event * 16 + (subscription <> 'erp')), event, subscription, event % 100000, state, state <> 'held', state <> 'held',
      CASE state WHEN 'pending' THEN ${now + DAY} END, CASE state WHEN 'pending' THEN ${now + DAY} END,
      CASE WHEN state = 'delivered' THEN 204 WHEN ${failed} AND event % 3 > 0 THEN 503 END,
      CASE WHEN ${failed} THEN iif(event % 3 > 0, 'The receiver answered 503.', 'https://failing.example did not answer within ' || (event % 40) || ' s.') END,
      CASE WHEN state IN ('delivered', 'exhausted') THEN at + 40 END
    FROM rows ORDER BY event;
    INSERT INTO attempts (delivery, at, duration_ms, status, error, answer)
    SELECT ref, ifnull(finished_at, ${now - HOUR}), 12 + ref % 80, last_status, last_error, iif(last_error IS NULL, '', 'Service Unavailable')
    FROM deliveries WHERE attempts > 0 ORDER BY ref;`
}

function trouble(now: number): string {
  return `
    UPDATE endpoints SET last_success_at = ${now - HOUR};
    UPDATE endpoints SET failures_in_row = 900, failing_since = ${now - 14 * DAY}, last_failure_at = ${now - HOUR}, last_error = 'The receiver answered 503.'
    WHERE subscription = 'failing';
    INSERT INTO rejections (account, resource, via, id, reason)
    SELECT account, 'shipment', 'list', 'ODD-' || n, 'main_tracking_dates: must be an object' FROM subjects WHERE n % 500 = 0;
    INSERT INTO holds (account, resource, reason, since, known, missing, sample, quiet_passes)
    SELECT 'large', 'shipment', 'too_many', ${now - DAY}, count(*), 900, json_group_array(id) FILTER (WHERE n < 20), 0 FROM subjects WHERE account = 'large';`
}

function iso(instant: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%SZ', (${instant}) / 1000, 'unixepoch')`
}

function change(part: string): string {
  return `extras ->> '$.date_change.${part}'`
}

function instant(part: string): string {
  return `unixepoch(${change(part)}) * 1000`
}
