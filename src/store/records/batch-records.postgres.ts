import { parseTerms } from './stored-terms.ts'
import { subjectKey } from '../../ledger/events.ts'
import { accountOf, conflict } from './record-rows.ts'
import type { ReadBatch, RecordWrite } from '../ports/commit-port.ts'
import type { DocumentWriter } from '../documents/documents.postgres.ts'
import { jsonRows } from '../server/json-rows.ts'
import { rowOfKey, WANTED } from '../server/key-lookup.ts'
import { columnsOf, recordAfter, recordAt, type OldRow, type RecordAt } from './record-writes.postgres.ts'
import type { Look, Part } from '../server/together.ts'

const FIND = `
  SELECT wanted.account, wanted.resource, wanted.id, ref, version, seen_body, reported_body, last_event_at, phase, phase_until,
    status, name, carrier, lane, due_day AS "dueDay", terms
  FROM unnest(:accounts::text[], :resources::text[], :ids::text[]) AS wanted (account, resource, id)
    JOIN ${rowOfKey('records', WANTED)} AS record ON true LEFT JOIN record_terms ON record_terms.record = ref`
const SAVE = `
  record_row AS MATERIALIZED (
    SELECT * FROM json_to_recordset(:rows::json) AS row (account text, resource text, id text, ref bigint, seen bigint,
      reported bigint, version bigint, "lastEventId" text, "rangAt" bigint, "atBaseline" bigint, "firstSeenAt" bigint,
      "closedAt" bigint, phase text, "phaseUntil" bigint, "removedAt" bigint, "nextEdgeAt" bigint, "settlesAt" bigint,
      memory text, status text, name text, carrier text, lane text, "dueDay" bigint, terms text)
  ), record AS (
    INSERT INTO records (ref, account, resource, id, seen_body, reported_body, version, last_event_id, last_event_at, at_baseline,
      first_seen_at, closed_at, phase, phase_until, removed_at, next_edge_at, settles_at, memory, status, name, carrier, lane,
      due_day)
    SELECT coalesce(ref, nextval(pg_get_serial_sequence('records', 'ref'))), account, resource, id, seen, reported, version,
      "lastEventId", "rangAt", "atBaseline", "firstSeenAt", "closedAt", phase, "phaseUntil", "removedAt", "nextEdgeAt",
      "settlesAt", memory, status, name, carrier, lane, "dueDay"
    FROM record_row
    ON CONFLICT (account, resource, id) DO UPDATE SET seen_body = excluded.seen_body, reported_body = excluded.reported_body,
      version = excluded.version, last_event_id = excluded.last_event_id, last_event_at = excluded.last_event_at,
      at_baseline = excluded.at_baseline, first_seen_at = excluded.first_seen_at, closed_at = excluded.closed_at,
      phase = excluded.phase, phase_until = excluded.phase_until, removed_at = excluded.removed_at,
      next_edge_at = excluded.next_edge_at, settles_at = excluded.settles_at, memory = excluded.memory,
      status = excluded.status, name = excluded.name, carrier = excluded.carrier, lane = excluded.lane,
      due_day = excluded.due_day
    RETURNING ref, account, resource, id
  ), record_terms_row AS (
    INSERT INTO record_terms (record, terms)
    SELECT record.ref, terms FROM record_row JOIN record USING (account, resource, id) WHERE terms IS NOT NULL
    ON CONFLICT (record) DO UPDATE SET terms = excluded.terms
  ), term_gone AS (
    DELETE FROM terms USING json_to_recordset(:gone::json) AS gone (account text, resource text, term text, ref bigint)
    WHERE terms.account = gone.account AND terms.resource = gone.resource AND terms.term = gone.term AND record = gone.ref
  ), term AS (
    INSERT INTO terms (account, resource, term, record)
    SELECT account, resource, term, ref
    FROM json_to_recordset(:found::json) AS found (account text, resource text, id text, term text)
      JOIN record USING (account, resource, id)
  )`

interface Saved {
  readonly account: string
  readonly write: RecordWrite
  readonly at: RecordAt
  readonly old: OldRow | undefined
}

/** The records of a batch: what is known of them, and what it makes of them. Their accounts are held. */
export class BatchRecords {
  readonly #known: ReadonlyMap<string, OldRow>
  readonly #saved = new Map<string, Saved>()

  constructor(known: readonly OldRow[]) {
    this.#known = new Map(known.map((row) => [keyOf(row.account, row), row]))
  }

  static look({ account, records }: ReadBatch): Look<OldRow> | null {
    if (records.length === 0) return null
    const values = {
      accounts: records.map(({ state }) => accountOf(account, state.resource)),
      resources: records.map(({ state }) => state.resource),
      ids: records.map(({ state }) => state.id),
    }
    return { sql: FIND, values }
  }

  /** The documents that its records are known by: their rows are held. */
  hold(documents: DocumentWriter): void {
    for (const old of this.#known.values()) recordAt(old, (ref) => documents.held(ref))
  }

  /** `rang`: when the subjects of the batch's events rang. Throws `store_conflict` where a record is at another version. */
  take(batch: ReadBatch, documents: DocumentWriter, rang: ReadonlyMap<string, number>): void {
    for (const write of batch.records) {
      const account = accountOf(batch.account, write.state.resource)
      const key = keyOf(account, write.state)
      const old = this.#known.get(key)
      const before =
        this.#saved.get(key)?.at ?? (old === undefined ? null : recordAt(old, (ref) => documents.held(ref)))
      if ((before?.version ?? null) !== write.expectedVersion) throw conflict(batch.account, write)
      const seen = documents.slotOf(write.state.seen, write.seenBefore)
      const reported = documents.slotOf(write.state.reported, write.seenBefore)
      documents.uses.add(seen, reported)
      if (before !== null) documents.uses.remove(before.seen, before.reported)
      const at = recordAfter(before, write, { seen, reported, rangAt: rang.get(subjectKey(write.state)) })
      this.#saved.set(key, { account, write, at, old })
    }
  }

  /** After its documents have their `ref`. */
  get written(): Part | null {
    const changes = [...this.#saved.values()].map(rowsOf)
    if (changes.length === 0) return null
    const values = {
      rows: jsonRows(changes.map(({ row }) => row)),
      gone: jsonRows(changes.flatMap(({ gone }) => gone)),
      found: jsonRows(changes.flatMap(({ found }) => found)),
    }
    return { sql: SAVE, values }
  }
}

function rowsOf({ account, at, old, write }: Saved) {
  const { id, resource } = write.state
  const ref = old?.ref ?? null
  const [before, after] = [new Set(old === undefined ? [] : parseTerms(old.terms)), new Set(at.terms)]
  const gone = [...before].filter((term) => !after.has(term)).map((term) => ({ account, resource, term, ref }))
  const found = [...after].filter((term) => !before.has(term)).map((term) => ({ account, resource, id, term }))
  const terms = gone.length + found.length === 0 ? null : JSON.stringify(at.terms)
  return { row: { ...columnsOf(write, at, { account, ref }), terms }, gone, found }
}

function keyOf(account: string, { id, resource }: { readonly id: string; readonly resource: string }): string {
  return JSON.stringify([account, resource, id])
}
