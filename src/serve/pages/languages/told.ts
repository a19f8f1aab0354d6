import { TOLD_FAILURES } from './told-failures.ts'
import { TOLD_FIELDS } from './told-fields.ts'
import { TOLD_NEEDS } from './told-needs.ts'
import { TOLD_PLANS } from './told-plans.ts'
import { TOLD_PROOFS } from './told-proofs.ts'
import { TOLD_REMEDIES } from './told-remedies.ts'
import type { Sayings } from './sayings-of.ts'

/** Sentences that Shipbell says in English wherever nobody's language is known, as `retold` has them. */
export const TOLD: Sayings = {
  ...TOLD_FAILURES,
  ...TOLD_FIELDS,
  ...TOLD_NEEDS,
  ...TOLD_PLANS,
  ...TOLD_PROOFS,
  ...TOLD_REMEDIES,
}
