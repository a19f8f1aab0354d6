import * as fc from 'fast-check'
import type { VersionStep } from './versioned-records.ts'

const id = fc.constantFrom('A', 'B', 'C')
const step: fc.Arbitrary<VersionStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      id,
      what: fc.constantFrom('field', 'field', 'field', 'nothing', 'all', 'back'),
      rings: fc.boolean(),
      waits: fc.boolean(),
      settles: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('fail' as const), id }),
  fc.record({ do: fc.constant('reopen' as const) }),
  fc.record({ do: fc.constant('send' as const), amount: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('expire' as const), ago: fc.nat(12), limit: fc.integer({ min: 1, max: 3 }) }),
)
/** What happens to the versions of three records. */
export const VERSION_STEPS = fc.array(step, { minLength: 10, maxLength: 60, size: 'max' })
