import type { QuarantineWrite, RejectionSource } from '../ports/account-state-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'

const MOST_OF_A_RESOURCE = 50_000

type OfAccount = RejectionSource & { readonly account: string }

// Ids and reasons may be longer than PostgreSQL lets a key of an index be: they are found by their digests. All ids at once, because each
// statement is a round trip.
const FIND = Query.frequent<{ id: string; reason: string }>(`
  SELECT wanted.id, reason FROM unnest(:ids::text[]) WITH ORDINALITY AS wanted (id, place) JOIN rejections
    ON account = :account AND resource = :resource AND via = :via AND text_digest(rejections.id) = text_digest(wanted.id)
      AND rejections.id = wanted.id
  WHERE EXISTS (SELECT 1 FROM rejections WHERE account = :account AND resource = :resource)
  ORDER BY place, ref`)
const REMEMBER = new Query(`
  INSERT INTO rejections (account, resource, via, id, reason)
  SELECT :account, :resource, :via, id, reason FROM unnest(:ids::text[], :reasons::text[]) AS row (id, reason)
  ON CONFLICT DO NOTHING`)
const FORGET = new Query(`
  DELETE FROM rejections USING unnest(:ids::text[]) AS row (id)
  WHERE account = :account AND resource = :resource AND via = :via AND text_digest(rejections.id) = text_digest(row.id)
    AND rejections.id = row.id`)
const TRIM = new Query(`
  DELETE FROM rejections WHERE account = :account AND resource = :resource AND ref <= (
    SELECT ref FROM rejections WHERE account = :account AND resource = :resource ORDER BY ref DESC LIMIT 1 OFFSET :most)`)

/** Most resources have none: then one look is enough. */
export async function loadRejections(
  tx: Pick<Transaction, 'all'>,
  { account, resource, via }: OfAccount,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.all(FIND, { account, resource, via, ids: [...new Set(ids)] })
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, found]) => [id, found.map(({ reason }) => reason)]))
}

/** The account is held. */
export async function saveQuarantine(tx: Transaction, account: string, write: QuarantineWrite): Promise<void> {
  const { forget, remember, resource, via } = write
  const source = { account, resource, via }
  if (forget.length > 0) await tx.run(FORGET, { ...source, ids: forget })
  if (remember.length === 0) return
  const [ids, reasons] = [remember.map(({ id }) => id ?? ''), remember.map(({ reason }) => reason)]
  await tx.run(REMEMBER, { ...source, ids, reasons })
  await tx.run(TRIM, { account, resource, most: MOST_OF_A_RESOURCE })
}
