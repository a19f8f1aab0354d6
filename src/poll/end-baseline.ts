import { accountEvent } from '../detect/account-event.ts'
import { RECORD_OF } from '../model/resource.ts'
import type { Provenance } from '../model/provenance.ts'
import type { ListState } from '../store/list-state.ts'
import type { ListOptions } from './list-options.ts'

interface Baseline {
  /** Of the list that was read to its end. */
  readonly state: ListState
  /** Records that it showed. */
  readonly count: number
  readonly provenance: Provenance
}

/** The first complete pass over a list has ended: from now on it rings (contract section 3.1). */
export async function endBaseline(options: ListOptions, { count, provenance, state }: Baseline): Promise<void> {
  const { account, clock, committer, progress, watch } = options
  const at = state.completedAt ?? clock.now()
  const extras = { resource: watch, count }
  const type = 'account.baseline_completed'
  await committer.commitAccountEvent({
    account: account.name,
    derive: (before) => accountEvent({ account: account.name, state: before, type, at, extras }),
    list: { resource: RECORD_OF[watch], state: { ...state, baselinedAt: at, baselinePass: state.pass } },
    provenance,
  })
  progress({ account: account.name, watch, done: count, total: count })
}
