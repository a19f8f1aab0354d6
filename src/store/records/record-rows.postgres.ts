import { TABLES } from '../tables/tables.ts'
import type { RowOf } from '../tables/table.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { SubjectResource } from '../../model/resource.ts'
import { accountOf, conflict, KNOWN_COLUMNS, parseTerms, RECORD, type RecordRow, toState } from './record-rows.ts'
import type { BodyRow } from '../documents/stored-body.ts'
import {
  bodyColumns,
  bodyOf,
  documentsOf,
  type DocumentWriter,
  joinBody,
  type RowWithBody,
  type Slot,
} from '../documents/documents.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { jsonRows, type Look, type Part, rowOfKey, WANTED } from '../server/statement-parts.ts'
import { Gathered } from '../server/gathered.ts'
import { Query } from '../server/query.ts'
import { subjectKey } from '../../ledger/events.ts'
import { movedTerms, recordAfter, type RecordAt, type RecordBefore, recordColumns } from '../../ledger/records.ts'
import type { ReadBatch, RecordWrite } from '../ports/commit-port.ts'

/** The document that was reported comes along where it is another one. */
type LoadedRow = RecordRow & RowWithBody<'seen'> & RowWithBody<'reported'>

const SELECT = Query.frequent<LoadedRow & { readonly account: string }>(`
  SELECT records.account, records.resource, records.id, ${KNOWN_COLUMNS}, coalesce(pages.sent_at, reads.sent_at) AS sent_at,
    coalesce(pages.answered_at, reads.answered_at) AS answered_at, ${bodyColumns('seen')}, ${bodyColumns('reported')}
  FROM unnest(:accounts::text[], :resources::text[], :ids::text[]) WITH ORDINALITY AS wanted (account, resource, id, place)
    JOIN ${rowOfKey('records', WANTED)} AS records ON true
    JOIN ${rowOfKey('reads', WANTED)} AS reads ON true
    LEFT JOIN pages ON pages.ref = reads.page
    ${joinBody('seen', 'seen.ref = seen_body')}
    ${joinBody('reported', 'reported.ref = reported_body AND reported_body IS DISTINCT FROM seen_body')}
  ORDER BY place`)

interface StateKey {
  readonly account: string
  readonly resource: SubjectResource
  readonly id: string
}

/** The whole states of records that are known, with their documents, by `keyOf`: one statement. */
async function loadStates(
  db: Database,
  keys: readonly StateKey[],
  tx: Pick<Transaction, 'all'>,
): Promise<ReadonlyMap<string, RecordState>> {
  if (keys.length === 0) return new Map()
  const { memory, place } = db
  const [accounts, resources, ids] = [
    keys.map(({ account }) => account),
    keys.map(({ resource }) => resource),
    keys.map(({ id }) => id),
  ]
  const rows = await tx.all(SELECT, { accounts, resources, ids })
  const documents = documentsOf({ memory, place }, rows.flatMap(bodiesOf))
  return new Map(rows.map((row) => [keyOf(row.account, row), toState(row, documents)]))
}

/** What is asked for at once of a database by whoever only looks. */
const GATHERED = new WeakMap<Database, Gathered<StateKey, ReadonlyMap<string, RecordState>>>()

/** One statement for all that is asked for at once, as the parts of a page do; a state that several ask for is read once. */
function gathered(db: Database): Gathered<StateKey, ReadonlyMap<string, RecordState>> {
  const known = GATHERED.get(db)
  if (known !== undefined) return known
  const all = new Gathered<StateKey, ReadonlyMap<string, RecordState>>(async (keys) => {
    const different = new Map(keys.map((key) => [keyOf(key.account, key), key]))
    return await loadStates(db, [...different.values()], db)
  })
  GATHERED.set(db, all)
  return all
}

/** The whole states of those of `ids` that are known, with their documents. */
export async function loadRecords(
  db: Database,
  { account, resource }: Omit<StateKey, 'id'>,
  { ids, tx = db }: { readonly ids: readonly string[]; readonly tx?: Pick<Transaction, 'all'> },
): Promise<ReadonlyMap<string, RecordState>> {
  if (ids.length === 0) return new Map()
  const keys = ids.map((id) => ({ account, resource, id }))
  const states = db.readonly && tx === db ? await gathered(db).ask(keys) : await loadStates(db, keys, tx)
  return new Map(
    keys.flatMap((key) => {
      const state = states.get(keyOf(account, key))
      return state === undefined ? [] : [[key.id, state] as const]
    }),
  )
}

/** The states of the records that accounts are themselves, by account: one statement. */
export async function loadAccountRecords(
  db: Database,
  accounts: readonly string[],
  tx: Pick<Transaction, 'all'>,
): Promise<ReadonlyMap<string, RecordState>> {
  const states = await loadStates(
    db,
    accounts.map((account) => ({ account, resource: 'account', id: account })),
    tx,
  )
  return new Map([...states.values()].map((state) => [state.id, state]))
}

function bodiesOf(row: LoadedRow): readonly BodyRow[] {
  return [bodyOf(row, 'seen'), bodyOf(row, 'reported')].filter((body) => body !== null)
}

const NO_MOVES = { gone: [], found: [] } as const
const OLD = TABLES.records.only(
  'ref version seen_body reported_body last_event_at changed_at phase phase_until status name carrier lane due_day kind totals ending',
)
const FIND = `
  SELECT wanted.account, wanted.resource, wanted.id, ${OLD.selected('record')}, terms
  FROM unnest(:accounts::text[], :resources::text[], :ids::text[]) AS wanted (account, resource, id)
    JOIN ${rowOfKey('records', WANTED)} AS record ON true LEFT JOIN record_terms ON record_terms.record = ref`
// Rows are written whole, because PostgreSQL sees by itself which indexes stay.
const SAVE = `
  record_row AS MATERIALIZED (
    SELECT * FROM json_to_recordset(:rows::json) AS row (${RECORD.typed}, terms text)
  ), record AS (
    INSERT INTO records (${RECORD.names})
    SELECT ${RECORD.valued({ ref: `coalesce(ref, nextval(pg_get_serial_sequence('records', 'ref')))` })} FROM record_row
    ${RECORD.instead(['account', 'resource', 'id'])}
    RETURNING ref, account, resource, id
  ), record_terms_row AS (
    INSERT INTO record_terms (record, terms)
    SELECT record.ref, terms FROM record_row JOIN record USING (account, resource, id) WHERE terms IS NOT NULL
    ON CONFLICT (record) DO UPDATE SET terms = excluded.terms, shared = NULL
    RETURNING record
  ), queued AS (
    -- A row that is there already is held, so that nobody takes it as done with what was before.
    INSERT INTO search_queue (record) SELECT record FROM record_terms_row
    ON CONFLICT (record) DO UPDATE SET record = excluded.record
  ), term_gone AS (
    DELETE FROM terms USING json_to_recordset(:gone::json) AS gone (account text, resource text, term text, ref bigint)
    WHERE terms.account = gone.account AND terms.resource = gone.resource AND terms.term = gone.term AND record = gone.ref
  ), term AS (
    INSERT INTO terms (account, resource, term, record)
    SELECT account, resource, term, ref
    FROM json_to_recordset(:found::json) AS found (account text, resource text, id text, term text)
      JOIN record USING (account, resource, id)
  )`

/** What a write must know of the row that it changes. */
interface OldRow extends RowOf<typeof OLD> {
  readonly account: string
  readonly resource: SubjectResource
  readonly id: string
  /** JSON; null: it has none. */
  readonly terms: string | null
}

/** A record as the writes of a batch so far leave it. */
interface Saved {
  readonly account: string
  readonly write: RecordWrite
  readonly at: RecordAt<Slot>
  readonly reported: Slot | null
  readonly old: OldRow | undefined
}

/** By `subjectKey`. */
interface RingingTimes {
  readonly rang: ReadonlyMap<string, number>
  readonly shown: ReadonlyMap<string, number>
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
    for (const { reportedBody: reported, seenBody: seen } of this.#known.values())
      for (const ref of [seen, reported]) documents.held(ref)
  }

  /** `rang`: when the subjects of the batch's events rang; `shown`: when reads showed what rings. Throws `store_conflict` where a record is at another version. */
  take(batch: ReadBatch, documents: DocumentWriter, { rang, shown }: RingingTimes): void {
    for (const write of batch.records) {
      const { before: loaded, phase, state } = write
      const account = accountOf(batch.account, state.resource)
      const key = keyOf(account, state)
      const last = this.#last(key, documents)
      if ((last?.version ?? null) !== (loaded?.version ?? null)) throw conflict(batch.account, write)
      const seenBefore = loaded?.seen ?? null
      const [seen, reported] = [documents.slotOf(state.seen, seenBefore), documents.slotOf(state.reported, seenBefore)]
      documents.uses.add(seen, reported)
      if (last !== null) documents.uses.remove(last.at.seen, last.reported)
      const before = last !== null && documents.isAt(seenBefore, last.at.seen) ? seenBefore : null
      const times = { rangAt: rang.get(subjectKey(state)), shownAt: shown.get(subjectKey(state)) }
      const written = { state, ...(phase && { phase }), seen, ...times, before }
      const at = recordAfter(last?.at ?? null, written)
      this.#saved.set(key, { account, write, at, reported, old: this.#known.get(key) })
    }
  }

  /** A record before a write of the batch; null: there is none. */
  #last(
    key: string,
    documents: DocumentWriter,
  ): (Pick<Saved, 'reported'> & { readonly at: RecordBefore<Slot>; readonly version: number }) | null {
    const saved = this.#saved.get(key)
    if (saved !== undefined) return { ...saved, version: saved.write.state.version }
    const old = this.#known.get(key)
    if (old === undefined) return null
    const { changedAt, lastEventAt, phase, phaseUntil, reportedBody: reported, seenBody: seen, version } = old
    const times = { lastEventAt, changedAt, phase, phaseUntil }
    const at = { seen: documents.held(seen), ...times, outline: old, listing: old, terms: null }
    return { at, reported: documents.held(reported), version }
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

function rowsOf({ account, at, old, reported, write: { state } }: Saved) {
  const { id, memory, resource } = state
  const ref = old?.ref ?? null
  const moved = at.terms === null ? NO_MOVES : movedTerms(parseTerms(old?.terms ?? null), at.terms)
  const gone = moved.gone.map((term) => ({ account, resource, term, ref }))
  const found = moved.found.map((term) => ({ account, resource, id, term }))
  const terms = at.terms === null ? null : JSON.stringify(at.terms)
  const documents = { seenBody: at.seen?.ref ?? null, reportedBody: reported?.ref ?? null }
  const row = {
    account,
    resource,
    id,
    ref,
    ...documents,
    ...recordColumns(state, at),
    memory: JSON.stringify(memory),
    terms,
  }
  return { row, gone, found }
}

function keyOf(account: string, { id, resource }: { readonly id: string; readonly resource: string }): string {
  return JSON.stringify([account, resource, id])
}
