import type { RecordMemory, RecordState } from '../model/record-state.ts'
import type { Committer } from './committer.ts'

/** The account's own record; null before its first event. */
export async function accountRecord({ store }: Committer, account: string): Promise<RecordState | null> {
  return (await store.records(account, 'account', [account])).get(account) ?? null
}

/** Changes what the account's own record remembers, and rings nothing. */
export async function remember(
  committer: Committer,
  account: string,
  change: (memory: RecordMemory) => RecordMemory,
): Promise<void> {
  await committer.commit(async () => {
    const before = await accountRecord(committer, account)
    const nothing = { account, records: [], events: [] }
    if (before === null) return nothing
    const state = { ...before, memory: change(before.memory) }
    return { ...nothing, records: [{ state, contentHash: null, expectedVersion: before.version, read: 'none' }] }
  })
}
