import { parseTerms } from './stored-terms.ts'
import type { JsonObject } from '../../model/json.ts'
import { isRecordResource } from '../../model/resource.ts'
import type { RecordState } from '../../model/record-state.ts'
import { outlineOf, type RecordOutline } from '../../model/record-outline.ts'
import { haveSameTerms, searchTermsOf } from '../../model/search-terms.ts'
import type { Connection } from '../file/connection.ts'
import { Query, type Value } from '../file/query.ts'

const OUTLINE = 'name = ?, carrier = ?, lane = ?'
const INDEXED = ', status = ?, due_day = ?'
const TERMS = new Query<{ terms: string }>('SELECT terms FROM record_terms WHERE record = ?')
const SAVE_TERMS = 'INSERT INTO record_terms VALUES (?, ?) ON CONFLICT DO UPDATE SET terms = excluded.terms'
const ADD = 'INSERT INTO terms (account, resource, term, record) VALUES (?, ?, ?, ?)'
const DROP = 'DELETE FROM terms WHERE account = ? AND resource = ? AND term = ? AND record = ?'

/** What to set of a record's row so that it is listed by its content; null: nothing of that moved. */
export function movedOutline(
  { resource, seen }: Pick<RecordState, 'resource' | 'seen'>,
  old: RecordOutline,
): { readonly sql: string; readonly values: readonly Value[] } | null {
  if (!isRecordResource(resource)) return null
  const { carrier, dueDay, lane, name, status } = outlineOf(resource, seen)
  const isIndexMoved = status !== old.status || dueDay !== old.dueDay
  if (!isIndexMoved && name === old.name && carrier === old.carrier && lane === old.lane) return null
  const shown = [name, carrier, lane] as const
  return isIndexMoved ? { sql: OUTLINE + INDEXED, values: [...shown, status, dueDay] } : { sql: OUTLINE, values: shown }
}

/** Writes what a record is found by, as far as its content changed it. `before`: what it was written from; null: not at hand. */
export function saveSearchTerms(
  db: Connection,
  { id, resource, seen }: Pick<RecordState, 'id' | 'resource' | 'seen'>,
  { account, before, ref }: { readonly account: string; readonly ref: number; readonly before: JsonObject | null },
): void {
  if (!isRecordResource(resource)) return
  if (before !== null && seen !== null && haveSameTerms(resource, before, seen)) return
  saveTerms(db, { account, resource, ref }, searchTermsOf(resource, id, seen))
}

function saveTerms(
  db: Connection,
  { account, resource, ref }: { readonly account: string; readonly resource: string; readonly ref: number },
  terms: readonly string[],
): void {
  const before = db.one(TERMS, ref)?.terms ?? '[]'
  const after = JSON.stringify(terms)
  if (after === before) return
  const [old, now] = [new Set(parseTerms(before)), new Set(terms)]
  for (const term of old) if (!now.has(term)) db.run(DROP, account, resource, term, ref)
  for (const term of now) if (!old.has(term)) db.run(ADD, account, resource, term, ref)
  db.run(SAVE_TERMS, ref, after)
}
