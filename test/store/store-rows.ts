import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { decodeBody } from '../../src/store/documents/body-codec.ts'
import { VALUE_TYPES } from '../../src/store/server/query.ts'

/**
 * Documents that nothing needs, that are counted wrongly, or whose base is missing or has one itself; none, in a store that is
 * whole.
 */
const MISCOUNTED = `
  SELECT bodies.ref, uses, count(use.ref) AS counted FROM bodies LEFT JOIN (
    SELECT seen_body AS ref FROM records
    UNION ALL SELECT reported_body FROM records WHERE reported_body IS DISTINCT FROM seen_body
    UNION ALL SELECT object_body FROM events
    UNION ALL SELECT before_body FROM events WHERE before_body IS DISTINCT FROM object_body
  ) AS use ON use.ref = bodies.ref GROUP BY bodies.ref, uses, bodies.base
  HAVING uses <> count(use.ref) OR (uses = 0 AND NOT EXISTS (SELECT 1 FROM bodies AS delta WHERE delta.base = bodies.ref))
    OR (bodies.base IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bodies AS frame WHERE frame.ref = bodies.base AND frame.base IS NULL))`

/** Lists whose records are counted wrongly. */
const MISSIZED = differing(
  'SELECT account, resource, records FROM list_sizes WHERE records <> 0',
  'SELECT account, resource, count(*) FROM reads WHERE misses IS NOT NULL GROUP BY account, resource',
)
/** Spans of the log whose events are counted wrongly. What their oldest and newest ones were may be gone. */
const MISSPANNED = differing(
  'SELECT span, events, expired FROM log_spans',
  'SELECT ref / 4096, count(*), count(expired_at) FROM events GROUP BY ref / 4096',
)

function differing(one: string, other: string): string {
  return `SELECT * FROM (${one} EXCEPT ${other}) AS one UNION ALL SELECT * FROM (${other} EXCEPT ${one}) AS other`
}

/** What a store holds after commits, without the numbers that its rows have; documents are still shown by theirs. */
const ROWS: Readonly<Record<string, string>> = {
  accounts: 'SELECT account, last_sequence, calendar, pause, ceiling, rhythm FROM accounts ORDER BY 1',
  lists: `SELECT account, resource, pass, pass_started_at, completed_at, baselined_at, largest_page, shipment_id_field, baseline_pass,
    fetch_works, absorbed, twins, churning, audit, end_probed_at, end_skip, lying_validators FROM lists ORDER BY 1, 2`,
  holds:
    'SELECT account, resource, reason, since, known, missing, sample, verdict, quiet_passes FROM holds ORDER BY 1, 2',
  rejections: 'SELECT account, resource, via, id, reason FROM rejections ORDER BY ref',
  records: `SELECT account, resource, id, seen_body, reported_body, version, last_event_id, at_baseline,
    first_seen_at, closed_at, phase, phase_until, removed_at, next_edge_at, settles_at, memory, last_event_at, status, name, carrier,
    lane, due_day, changed_at FROM records ORDER BY ref`,
  pages: `SELECT account, resource, skip, rows, sent_at, answered_at, pass, digest, etag, print, rules, certain_id_field FROM pages
    ORDER BY 1, 2, 3`,
  reads: `SELECT account, resource, id, fingerprint, sent_at, answered_at, pass, misses, etag,
    (SELECT skip FROM pages WHERE pages.ref = reads.page) AS skip FROM reads ORDER BY 1, 2, 3`,
  list_sizes: 'SELECT account, resource, records FROM list_sizes WHERE records <> 0 ORDER BY 1, 2',
  learnt: 'SELECT account, resource, what, name, changes, expected, at, mix FROM learnt ORDER BY 1, 2, 3, 4',
  topics: 'SELECT account, topic, settings FROM topics ORDER BY 1, 2',
  notes: 'SELECT account, topic, resource, id, number, fresh, because FROM notes ORDER BY 1, 2, 3, 4',
  links: 'SELECT account, shipment, resource, id FROM links ORDER BY 1, 2, 3, 4',
  arrivals: 'SELECT account, shipment, carrier, lane, arrived_at, recorded_at, told FROM arrivals ORDER BY 1, 2',
  arrival_sums: 'SELECT account, carrier, lane, newest, arrivals FROM arrival_sums ORDER BY 1, 2, 3',
  expectation_rules: 'SELECT account, name, digest, generation, since FROM expectation_rules ORDER BY 1, 2',
  expectations: `SELECT account, resource, id, generation, gone, states, failures, due_at FROM expectations
    ORDER BY 1, 2, 3`,
  events: `SELECT ref, id, account, sequence, type, resource, subject_id, subject_version, previous_event_id, timestamp, stored_at,
    not_before, not_after, cause, (SELECT told FROM sightings WHERE sightings.ref = sighting) AS told, object_body,
    before_body, shipment, extras, changes, previous FROM events ORDER BY ref`,
  event_kinds: 'SELECT account, type, resource FROM event_kinds ORDER BY 1, 2, 3',
  event_hours: 'SELECT hour, account, type, amount FROM event_hours ORDER BY 1, 2, 3',
  log_hours: 'SELECT hour, first FROM log_hours ORDER BY 1',
  log_spans: 'SELECT span, events, expired, oldest, newest FROM log_spans ORDER BY 1',
  deliveries: `SELECT id, event, subscription, lane, state, next_attempt_at, turn, test, last_told, position FROM deliveries ORDER BY ref`,
  tallies: 'SELECT subscription, state, amount FROM tallies WHERE amount <> 0 ORDER BY 1, 2',
  endpoints: 'SELECT subscription, configured, enabled FROM endpoints ORDER BY 1',
  notified_dates: `SELECT account, resource, subject_id, subscription, date, instant, version FROM notified_dates
    ORDER BY 1, 2, 3, 4, 5`,
  terms: `SELECT terms.account, terms.resource, term, records.id FROM terms JOIN records ON records.ref = record ORDER BY 1, 2, 3, 4`,
  record_terms: 'SELECT terms FROM record_terms JOIN records ON records.ref = record ORDER BY account, resource, id',
  dates: `SELECT account, shipment, milestone, place, seen_at, told_at, event, status, date FROM dates ORDER BY 1, 2, 3, 4`,
  slips: 'SELECT account, shipment, milestone, first, now, revisions, moved_at, day, size FROM slips ORDER BY ref',
  exceptions: `SELECT id, account, resource, subject_id, type, milestone, expectation, severity, opened_at, event, told, ends_at,
    closed_at, closed_by FROM exceptions ORDER BY id`,
  requests: 'SELECT account, minute, amount, budget_per_hour FROM requests ORDER BY 1, 2',
  event_days: 'SELECT day, account, type, amount FROM event_days ORDER BY 1, 2, 3',
  ledger_begin: 'SELECT dropped_to FROM ledger_begin',
  miscounted: MISCOUNTED,
  missized: MISSIZED,
  misspanned: MISSPANNED,
}
const BODIES = 'SELECT ref, codec, content, base FROM bodies'

type Rows = Readonly<Record<string, readonly unknown[]>>
type Row = Readonly<Record<string, unknown>>

interface Body {
  readonly ref: number
  readonly codec: number
  readonly content: Buffer
  readonly base: number | null
}

export function sqliteRows(path: string): Rows {
  const sqlite = new Sqlite(path, { readonly: true })
  const texts = textsOf(sqlite.prepare<[], Body>(BODIES).all())
  const rows = Object.entries(ROWS).map(([name, sql]) => [name, shown(sqlite.prepare<[], Row>(sql).all(), texts)])
  sqlite.close()
  return Object.fromEntries(rows)
}

export async function postgresRows(url: string): Promise<Rows> {
  const client = new Client({ connectionString: url, types: VALUE_TYPES })
  await client.connect()
  const texts = textsOf((await client.query<Body>(BODIES)).rows)
  const rows: Record<string, readonly unknown[]> = {}
  for (const [name, sql] of Object.entries(ROWS)) rows[name] = shown((await client.query<Row>(sql)).rows, texts)
  await client.end()
  return rows
}

/** By their `ref`: the same document may be packed by another byte. */
function textsOf(bodies: readonly Body[]): ReadonlyMap<number, string> {
  const of = new Map(bodies.map((body) => [body.ref, body]))
  const textOf = (body: Body): Buffer | null => {
    const base = of.get(body.base ?? 0)
    return decodeBody(body, base === undefined ? null : textOf(base))
  }
  return new Map(bodies.map((body) => [body.ref, String(textOf(body))]))
}

function shown(rows: readonly Row[], texts: ReadonlyMap<number, string>): readonly Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        column.endsWith('_body') && value !== null ? texts.get(Number(value)) : value,
      ]),
    ),
  )
}
