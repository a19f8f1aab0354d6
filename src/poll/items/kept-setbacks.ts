import { accountRecord, rememberOfAccount } from '../ingest/update-record.ts'
import type { ItemContext } from './item-reader.ts'
import type { Setbacks } from './setbacks.ts'

type Of = Pick<ItemContext, 'account' | 'committer' | 'source'>

/** Items that failed alone when the last process ended go on waiting. */
export async function recallSetbacks({ account, committer, source }: Of, setbacks: Setbacks): Promise<void> {
  const { setbacks: kept = {} } = (await accountRecord(committer, account.name))?.memory ?? {}
  setbacks.recall(kept[source.watch] ?? {})
}

/** Writes down the waits that are long enough to outlive the process. */
export async function keepSetbacks({ account, committer, source }: Of, setbacks: Setbacks): Promise<void> {
  const unsaved = setbacks.unsaved()
  if (unsaved === null) return
  await rememberOfAccount(committer, account.name, (memory) => ({
    ...memory,
    setbacks: { ...memory.setbacks, [source.watch]: unsaved },
  }))
}
