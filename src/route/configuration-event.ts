import { CONFIGURATION } from '../model/configuration-state.ts'
import type { RecordMemory, RecordState } from '../model/record-state.ts'
import { serviceEvent, type ServiceEvent } from '../model/service-event.ts'

export interface RejectionInput {
  /** The configuration's own record; null before its first event. */
  readonly state: RecordState | null
  readonly rejected: { readonly file: string; readonly problems: readonly string[]; readonly digest: string }
  readonly at: number
  /** What the configuration's record remembers from now on. */
  readonly memory: RecordMemory
}

/** Problems that an event names: a file of customers may have thousands. */
const MOST_PROBLEMS = 20

/** `shipbell.configuration_rejected`. The configuration's chain of events is a record of no account. */
export function rejectionEvent({ state, rejected, at, memory }: RejectionInput): ServiceEvent {
  const { digest, file, problems } = rejected
  const named = problems.slice(0, MOST_PROBLEMS)
  return serviceEvent({
    account: null,
    resource: 'configuration',
    id: CONFIGURATION,
    type: 'shipbell.configuration_rejected',
    state,
    extras: { file, problems: named, more: problems.length - named.length },
    parts: [digest],
    at,
    memory,
  })
}
