import type { HeldList, HoldReason, HoldVerdict } from '../model/hold.ts'

/** Why a pass was not believed. */
export const HELD_BECAUSE: Readonly<Record<HoldReason, string>> = {
  empty: 'the list is empty',
  too_many: 'too many at once',
  other_account: "looks like another account's list",
  unproved: 'passes miss them, and a fetch by id proves nothing',
}

/** What each verdict does about a list. */
export const VERDICTS: Readonly<Record<HoldVerdict, string>> = {
  accept: 'Believe the next complete pass: what it misses is removed, what it shows is created',
  reject: 'What is missing exists: forget the hold; if it is still so after two more passes it rings anew',
}

const UNPROVED_VERDICTS: Readonly<Record<HoldVerdict, string>> = {
  accept: 'These records are gone: the next complete pass that misses them removes them, and no others',
  reject: 'These records exist: keep them until the list shows them again',
}

/** What each verdict does about a hold. */
export function verdictsOf({ reason }: Pick<HeldList, 'reason'>): Readonly<Record<HoldVerdict, string>> {
  return reason === 'unproved' ? UNPROVED_VERDICTS : VERDICTS
}

/** What a verdict has done. */
export function judgedWords({ missing, reason }: HeldList, verdict: HoldVerdict): string {
  const items = missing === 1 ? '1 missing item' : `${missing} missing items`
  if (reason === 'unproved') {
    return verdict === 'accept'
      ? `accepted; the next complete pass that misses them removes ${items}.`
      : `rejected; ${items} kept until the list shows them again.`
  }
  return verdict === 'accept'
    ? `accepted; the next complete pass is believed about ${items}.`
    : `rejected; ${items} forgotten, and if it is still so after two more passes it rings anew.`
}
