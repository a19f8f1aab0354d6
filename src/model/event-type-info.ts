import type { SubjectResource } from './resource.ts'

type EventFamily = 'diff' | 'calendar' | 'derived' | 'expectation' | 'snapshot' | 'service'

export interface EventTypeInfo {
  readonly type: string
  readonly family: EventFamily
  readonly resource: SubjectResource
  /** What else such an event can be about. */
  readonly others?: readonly SubjectResource[]
  /** When the type rings, in one sentence. */
  readonly when: string
  /** The type that told this change before it had one of its own: a pattern that names that exactly hears this one too. */
  readonly partOf?: string
}
