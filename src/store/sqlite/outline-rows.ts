import { parseTerms } from '../common/stored-terms.ts'
import type { JsonObject } from '../../model/json.ts'
import type { RecordState } from '../../model/record-state.ts'
import { outlineOf, type RecordOutline } from '../../model/record-outline.ts'
import { haveSameTerms, searchTermsOf } from '../../model/search-terms.ts'
import type { Connection } from './connection.ts'
import { Query } from './query.ts'

const OUTLINE = `
  UPDATE records SET name = :name, status = :status, carrier = :carrier, lane = :lane, due_day = :dueDay WHERE ref = :ref`
// Writes no index.
const OUTLINE_BESIDE_INDEXES = 'UPDATE records SET name = ?, carrier = ?, lane = ? WHERE ref = ?'
const TERMS = new Query<{ terms: string }>('SELECT terms FROM record_terms WHERE record = ?')
const SAVE_TERMS = 'INSERT INTO record_terms VALUES (?, ?) ON CONFLICT DO UPDATE SET terms = excluded.terms'
const ADD = 'INSERT INTO terms (account, resource, term, record) VALUES (?, ?, ?, ?)'
const DROP = 'DELETE FROM terms WHERE account = ? AND resource = ? AND term = ? AND record = ?'

export interface OutlinedRow extends RecordOutline {
  readonly ref: number
}

/** Writes what a record is listed by and found by, as far as its content changed it. `before`: what it was written from; null: not at hand. */
export function saveOutline(
  db: Connection,
  { id, resource, seen }: Pick<RecordState, 'id' | 'resource' | 'seen'>,
  {
    account,
    before = null,
    old,
  }: { readonly account: string; readonly old: OutlinedRow; readonly before?: JsonObject | null },
): void {
  if (resource === 'account' || resource === 'subscription') return
  const { ref } = old
  const outline = outlineOf(resource, seen)
  const { carrier, lane, name, status } = outline
  if (status !== old.status || outline.dueDay !== old.dueDay) db.run(OUTLINE, { ref, ...outline })
  else if (name !== old.name || carrier !== old.carrier || lane !== old.lane)
    db.run(OUTLINE_BESIDE_INDEXES, name, carrier, lane, ref)
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
