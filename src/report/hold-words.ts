import type { HeldList, HoldReason, HoldVerdict } from '../model/hold.ts'

/** Why a pass was not believed. */
export const HELD_BECAUSE: Readonly<Record<HoldReason, string>> = {
  empty: 'the list is empty',
  too_many: 'too many at once',
  other_account: "looks like another account's list",
}

/** What each verdict does. */
export const VERDICTS: Readonly<Record<HoldVerdict, string>> = {
  accept: 'Believe the next complete pass: what it misses is removed, what it shows is created',
  reject: 'What is missing exists: forget the hold; if it is still so after two more passes it rings anew',
}

/** What a verdict has done. */
export function judgedWords({ missing }: HeldList, verdict: HoldVerdict): string {
  const items = missing === 1 ? '1 missing item' : `${missing} missing items`
  return verdict === 'accept'
    ? `accepted; the next complete pass is believed about ${items}.`
    : `rejected; ${items} forgotten, and if it is still so after two more passes it rings anew.`
}
