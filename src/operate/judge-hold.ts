import type { Clock } from '../clock.ts'
import { PAUSE_MS } from '../deliver/row-settling.ts'
import { ShipbellError } from '../errors.ts'
import type { HeldList, HoldReason, HoldVerdict, NamedHold } from '../model/hold.ts'
import { watchedAs } from '../model/resource.ts'
import type { AdminStore } from '../store/ports/admin-port.ts'
import type { QueryStore } from '../store/ports/query-port.ts'

export interface HoldJudgement extends NamedHold {
  readonly store: Pick<AdminStore, 'judge'> & Pick<QueryStore, 'holds'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly verdict: HoldVerdict
}

/** Says of a hold whether the platform is to be believed, slice by slice, with pauses in which others write. Resolves to the hold as judged; null where nothing is held. */
export async function judgeHold(judgement: HoldJudgement): Promise<HeldList | null> {
  const { account, clock, reason, resource, signal, store, verdict } = judgement
  const holds = (await store.holds()).filter((each) => each.account === account && each.resource === resource)
  const named = holds.filter((each) => reason === undefined || each.reason === reason)
  const [hold] = named
  if (hold === undefined) return null
  const reasons = [...new Set(named.map((each) => each.reason))]
  if (reasons.length > 1) throw twoHolds(judgement, reasons)
  let judged = await store.judge(hold, verdict)
  for (; judged === 'unfinished'; judged = await store.judge(hold, verdict)) await clock.sleep(PAUSE_MS, signal)
  return judged === 'judged' ? { ...hold, verdict } : null
}

function twoHolds({ account, resource }: HoldJudgement, reasons: readonly HoldReason[]): ShipbellError {
  const list = `${watchedAs(resource)} of account ${JSON.stringify(account)}`
  return new ShipbellError(
    'wrong_state',
    `Two things are held of ${list}: name one by its reason, ${reasons.join(' or ')}.`,
  )
}
