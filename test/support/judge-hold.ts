import type { HeldList, HoldVerdict } from '../../src/model/hold.ts'
import type { AdminStore } from '../../src/store/ports/admin-port.ts'

/** Judges what is held of a list, by default a pass; false where nothing was to be judged. */
export async function judgeHold(
  store: Pick<AdminStore, 'judge'>,
  { reason = 'too_many', ...list }: Pick<HeldList, 'account' | 'resource'> & Partial<Pick<HeldList, 'reason'>>,
  verdict: HoldVerdict,
): Promise<boolean> {
  for (;;) {
    const judgement = await store.judge({ ...list, reason }, verdict)
    if (judgement !== 'unfinished') return judgement === 'judged'
  }
}
