import type { Clock } from '../clock.ts'
import { judgeReadiness, type Readiness } from '../serve/readiness.ts'
import type { AccountSupervisor } from './account-supervisor.ts'
import type { OpenedWork } from './opened-work.ts'
import type { StallWatch } from './stall-watch.ts'

interface ReadinessParts {
  readonly work: Pick<OpenedWork, 'assertUsable'>
  readonly accounts: Pick<AccountSupervisor, 'pollers' | 'watched'>
  readonly stalls: Pick<StallWatch, 'problem'>
  readonly clock: Pick<Clock, 'now'>
}

/** Whether the store can be written and what is read here is read in time. */
export async function askReadiness({ accounts, clock, stalls, work }: ReadinessParts): Promise<Readiness> {
  const problem = await work.assertUsable().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const { pollers, watched } = accounts
  const stalled = stalls.problem(pollers)
  return judgeReadiness(watched, problem ?? stalled, clock.now())
}
