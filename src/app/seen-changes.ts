import type { SeenChange } from '../store/history-port.ts'
import type { Store } from '../store/ports.ts'

/** What a row announces is read within so long: at once, but for a budget that is spent. */
const ANNOUNCED_WITHIN_MS = 5 * 60_000

/**
 * The changes that were seen of an account since an instant, in the order in which they were. A tracking that was read because
 * its shipment's row had changed shows what that row told of: it had not happened when the row was read before.
 */
export async function seenChanges(
  store: Pick<Store, 'changesSeen'>,
  account: string,
  since: number,
): Promise<readonly SeenChange[]> {
  const rows = new Map<string, SeenChange>()
  return (await store.changesSeen(account, since)).map((change) => {
    if (change.resource === 'shipment') rows.set(change.id, change)
    const row = change.resource === 'tracking' ? rows.get(change.id) : undefined
    if (row === undefined || change.notAfter - row.notAfter > ANNOUNCED_WITHIN_MS) return change
    return { ...change, notBefore: Math.max(change.notBefore, row.notBefore) }
  })
}
