import type { Clock } from '../clock.ts'
import { PAUSE_MS } from '../deliver/row-settling.ts'
import type { HeldList, HoldVerdict } from '../model/hold.ts'
import type { RecordResource } from '../model/resource.ts'
import type { AdminStore } from '../store/admin-port.ts'
import type { QueryStore } from '../store/query-port.ts'

export interface HoldJudgement {
  readonly store: Pick<AdminStore, 'forgetMisses' | 'judgeHold'> & Pick<QueryStore, 'holds'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly account: string
  readonly resource: RecordResource
  readonly verdict: HoldVerdict
}

/** Says of a hold whether the platform is to be believed. Resolves to the hold as judged; null where nothing is held. */
export async function judgeHold(judgement: HoldJudgement): Promise<HeldList | null> {
  const { store, account, resource, verdict } = judgement
  const holds = await store.holds()
  const hold = holds.find((each) => each.account === account && each.resource === resource)
  if (hold === undefined) return null
  if (verdict === 'reject') await forgetMisses(judgement)
  return (await store.judgeHold(account, resource, verdict)) ? { ...hold, verdict } : null
}

/** Slice by slice, with pauses in which others write. */
async function forgetMisses({ store, clock, signal, account, resource }: HoldJudgement): Promise<void> {
  while (!(await store.forgetMisses(account, resource))) await clock.sleep(PAUSE_MS, signal)
}
