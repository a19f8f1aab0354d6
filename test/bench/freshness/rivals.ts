import { Clairvoyant } from './clairvoyant.ts'
import { byBusinessHours, byRateOfTheHour } from './expected-delay.ts'
import { oracle } from './oracle.ts'
import type { Policy } from './run-policy.ts'
import type { Scenario } from './scenario.ts'
import { isTracked, uniformSweep } from './uniform-sweep.ts'

/** What a policy is there for. */
export type Role = 'live' | 'everything' | 'clairvoyant' | 'glimpse' | 'oracle'

export interface Rival {
  readonly role: Role
  readonly policyFor: (scenario: Scenario) => Policy
}

/** The policies that ours is measured by. Of several in one role, the best counts. */
export const RIVALS: readonly Rival[] = [
  {
    role: 'live',
    policyFor: (scenario) => uniformSweep(scenario, isTracked),
  },
  {
    role: 'everything',
    policyFor: (scenario) => uniformSweep(scenario, () => true),
  },
  ...[true, false].flatMap((followsSignals) =>
    [true, false].flatMap((knowsHours) => ({
      role: followsSignals ? ('clairvoyant' as const) : ('glimpse' as const),
      policyFor: (scenario: Scenario) =>
        new Clairvoyant(scenario, {
          urgency: knowsHours ? byBusinessHours(scenario.startAt, scenario.endAt) : byRateOfTheHour,
          followsSignals,
        }),
    })),
  ),
  { role: 'oracle', policyFor: oracle },
]
