import type { RecordResource } from './resource.ts'

/** What an expectation can be about. */
export const EXPECTED_SUBJECTS = ['shipment', 'purchase_order', 'invoice'] as const

export type ExpectedSubject = (typeof EXPECTED_SUBJECTS)[number]

/** The resources that rules see, and whose last change they can ask for. */
export const SEEN_RESOURCES = [
  'shipment',
  'tracking',
  'document',
  'invoice',
  'purchase_order',
] as const satisfies readonly RecordResource[]

export type SeenResource = (typeof SEEN_RESOURCES)[number]

export function isSeenResource(name: string): name is SeenResource {
  return SEEN_RESOURCES.some((resource) => resource === name)
}

/** How a missed expectation sounds to people. */
export const EXPECTATION_SEVERITIES = ['neutral', 'warning', 'critical'] as const

/** Something that is expected to happen to each record of a kind by an instant. The expressions are CEL. */
export interface ExpectationRule {
  readonly name: string
  readonly about: ExpectedSubject
  /** Whether it is expected of a record. */
  readonly when: string
  /** The instant by which it is expected; null: not known yet. */
  readonly by: string
  /** Whether it has happened. */
  readonly until: string
  readonly severity: (typeof EXPECTATION_SEVERITIES)[number]
}

/** Whether something is an expectation's subject by its resource. */
export function isExpectedSubject(resource: string): resource is ExpectedSubject {
  return EXPECTED_SUBJECTS.some((subject) => subject === resource)
}

/**
 * Where an expectation stands for one record. `waiting`: its instant has not come, or is not known, or nothing was read since;
 * `missed`: it has come in vain; `met`: it has happened; `withdrawn`: it is expected no more.
 */
type ExpectationStanding = 'waiting' | 'missed' | 'met' | 'withdrawn'

/** What is remembered of one expectation of one record. */
export interface ExpectationState {
  readonly state: ExpectationStanding
  /** The instant by which it is expected (milliseconds since the Unix epoch); null: not known. */
  readonly by: number | null
  /** Whether `expectation.missed` rang for what is missed now; what was learnt in silence ends in silence. */
  readonly rang: boolean
  /** Whether what it says so far is to be learnt in silence still, because not all that it looks at has been read. */
  readonly isUnread?: true
}

/** All expectations of one record. */
export interface ExpectedRecord {
  readonly resource: ExpectedSubject
  readonly id: string
  /** The generation of rules that the record was judged by last: a rule of a later one is new for it. */
  readonly generation: number
  /** Whether the record was removed when it was judged last: once it is back, what stands is learnt in silence. */
  readonly isGone: boolean
  /** By the names of rules; a rule that was never expected of the record has none. */
  readonly states: Readonly<Record<string, ExpectationState>>
  /** Why rules cannot be judged on this record, by their names. */
  readonly failures: Readonly<Record<string, string>>
  /** When the record has to be judged next (milliseconds since the Unix epoch); null: once something of it changes. */
  readonly dueAt: number | null
}

/** A rule as an account has known it since. */
export interface KnownRule {
  readonly name: string
  readonly digest: string
  /** Counts the sets of rules: the first that had this rule as it is. */
  readonly generation: number
  /** When that set came into force: what had passed by then is learnt in silence. */
  readonly since: number
}

/** An event that a rule would have rung, and when. */
export interface WouldRing {
  readonly account: string
  readonly type: `expectation.${'missed' | 'met' | 'withdrawn'}`
  readonly subject: Pick<ExpectedRecord, 'resource' | 'id'>
  readonly by: number
  readonly at: number
}
