/**
 * The row of a record's key, for `JOIN … ON true`: a range that begins at the key, in the order of the key, which only the index of
 * the key gives. By equality alone the planner takes any index that begins with account and resource, or the whole table, and so
 * reads all of a list, as long as it knows nothing of the account: tables are analysed some time after they were filled.
 */
export function rowOfKey(
  table: 'records' | 'reads',
  { account, id, resource }: Readonly<Record<'account' | 'resource' | 'id', string>>,
): string {
  const key = `${account}, ${resource}, ${id}`
  return `LATERAL (
    SELECT * FROM (
      SELECT * FROM ${table} WHERE (account, resource, id) >= (${key}) ORDER BY account, resource, id LIMIT 1
    ) AS first WHERE (account, resource, id) = (${key})
  )`
}

/** The key of a row `wanted (account, resource, id)`. */
export const WANTED = { account: 'wanted.account', resource: 'wanted.resource', id: 'wanted.id' } as const
