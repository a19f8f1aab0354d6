import type { ConfigurationMemory } from './configuration-state.ts'
import type { EndpointHealth } from './endpoint.ts'
import type { JsonObject } from './json.ts'
import type { OrderFate } from './order-fate.ts'
import type { KeptLimit } from './own-limit.ts'
import type { SubjectResource, Watchable } from './resource.ts'
import type { Milestone } from './shipment.ts'

/**
 * When a request was sent and its whole answer had arrived (milliseconds since the Unix epoch). Of an answer that was made
 * earlier, such as a copy from a cache, when those would have been for it to be new.
 */
export interface Read {
  readonly sentAt: number
  readonly answeredAt: number
  /** When the answer had arrived, where that is another instant. */
  readonly arrivedAt?: number
}

/**
 * What Shipbell knows of one record. `seen` is the record at its last read, `reported` the record as events have reported it.
 * They are the same unless something is withheld. null: reads showed nothing (a tracking that answered 404).
 */
export interface RecordState {
  readonly resource: SubjectResource
  readonly id: string
  readonly seen: JsonObject | null
  readonly reported: JsonObject | null
  /** Events of this subject so far, and the last one's id. */
  readonly version: number
  readonly lastEventId: string | null
  /** Learnt silently while its list had no baseline yet. */
  readonly atBaseline: boolean
  readonly firstSeenAt: number
  /** When a read first showed a shipment finished or cancelled; null while it is neither. */
  readonly closedAt: number | null
  /** When it was learnt that the record is gone; null while it exists. `seen` is then the record as it was last seen. */
  readonly removedAt: number | null
  /** The last read applied to this record. */
  readonly lastRead: Read
  /** When the calendar has to look at this record next; null: never, as things stand. */
  readonly nextEdgeAt: number | null
  readonly memory: RecordMemory
}

/** What must be remembered of a record beyond its last body; each resource uses its own part. */
export interface RecordMemory {
  readonly milestones?: Readonly<Partial<Record<Milestone, MilestoneMemory>>>
  /** Edges of the calendar that rang, such as `due/2026-12-01/date`: each rings at most once. */
  readonly rung?: readonly string[]
  readonly calendar?: CalendarMemory
  readonly health?: AccountHealth
  /** What the key of an account may not read although others answer; `account.unauthorized` rang for each. */
  readonly refused?: Readonly<Partial<Record<Watchable, ResourceRefusal>>>
  /** Items of an account that fail alone, by what is watched and their ids. */
  readonly setbacks?: Readonly<Partial<Record<Watchable, Readonly<Record<string, ItemSetback>>>>>
  /** Items that an account's baselines were completed without; what they show first is silent. */
  readonly unreadAtBaseline?: Readonly<Partial<Record<Watchable, readonly string[]>>>
  /** A long wait that an account's platform asked for, once `account.paused` rang; null: requests go again. */
  readonly paused?: { readonly since: number; readonly until: number } | null
  /** Since when the clock of an account's platform differs, once `account.clock_differs` rang; null: they agreed again. */
  readonly clockDiffersSince?: number | null
  /** The state of a subscription's endpoint that was reported last; left out: none yet. */
  readonly endpoint?: EndpointHealth
  /** The `where` of a subscription that could not be evaluated, once `endpoint.filter_failed` rang for it. */
  readonly failedFilter?: string
  /** When somebody asked last to have an endpoint tried at once, by subscription. */
  readonly probes?: Readonly<Record<string, number>>
  /** The limits of their own that hold up the sending of processes, by process. */
  readonly limits?: Readonly<Record<string, KeptLimit>>
  /** The references of the order preparations that were created through Shipbell, by account. */
  readonly created?: Readonly<Record<string, readonly string[]>>
  /** What is remembered of the configuration itself. */
  readonly configuration?: ConfigurationMemory
  /** The last read that found a record which is read item by item, after reads that did not (404). */
  readonly lastShown?: Read
  /** Absorbed fields (guarantee D8) that the record held and lost: their next value is not the first. */
  readonly lostFields?: readonly string[]
  /** Changed estimates that wait to ring (guarantee K6, `settle`); `reported` does not have them yet. */
  readonly settling?: Settling
  /** What was derived of a purchase order and its shipments, as far as events have told it; left out: nothing yet. */
  readonly fate?: OrderFate
}

export interface Settling {
  /** When the first waiting estimate has waited for long enough (milliseconds since the Unix epoch, by the timers' clock). */
  readonly dueAt: number
  readonly estimates: Readonly<Record<string, HeldEstimate>>
}

/** An estimate that differs from what events have reported. Instants are milliseconds since the Unix epoch. */
export interface HeldEstimate {
  /** When the first answer that showed it differ had arrived. */
  readonly since: number
  /** When the last read that showed it as reported had been sent. */
  readonly notBefore: number
  /** When the first answer with the value that it has now had arrived. */
  readonly notAfter: number
  /** Text that is the same for the same difference. */
  readonly value: string
}

export interface MilestoneMemory {
  /** The first date ever seen, as sent, and when it was seen. */
  readonly first: { readonly date: string; readonly seenAt: number }
  /** Distinct instants seen so far, in the order they came. */
  readonly instants: readonly number[]
  /** The event that reported the last actual; null when it was learnt silently. */
  readonly actualEventId: string | null
}

/** What the calendar must remember of a record beside the edges that rang. */
export interface CalendarMemory {
  /** Edges that passed unheard and stay so for as long as the record has them: passed at the baseline, or outdone by a later one. */
  readonly skipped: readonly string[]
  /** The leads that these edges were judged by: a lead that is configured later starts with its next edge. */
  readonly leadsMs?: readonly number[]
  /** The last due date that could be read, while the one that is sent cannot be. */
  readonly readableDueDate?: string
  /** The due date whose `invoice.overdue` rang and is not cleared yet. */
  readonly overdue?: string
  /** The due date that had passed unheard and for which the invoice is overdue still: as at the baseline. */
  readonly overdueUnheard?: string
  /** The delivery estimate lies after the desired date. */
  readonly atRisk?: boolean
}

/** A resource that the key was refused (403) while others answered. */
export interface ResourceRefusal {
  readonly since: number
  /** What the platform said, for people. */
  readonly reason: string
  /** Stands for the address and key that were refused. */
  readonly of: string
  /** Rows before the first page that was refused; 0: all of it. */
  readonly skip: number
}

/** An item that fails while others of its resource answer. Instants and durations are milliseconds. */
export interface ItemSetback {
  /** Failures in a row. */
  readonly count: number
  readonly retryAt: number
  readonly waitMs: number
}

/** The health of an account (guarantee D9). */
export interface AccountHealth {
  readonly state: 'ok' | 'degraded' | 'unauthorized'
  readonly since: number
  /** What the last failure said, for people; null in state `ok`. */
  readonly reason: string | null
}

/** The state of a subject of which nothing was read and nothing reported yet. */
export function newRecordState(
  { resource, id }: Pick<RecordState, 'resource' | 'id'>,
  { read, atBaseline }: { readonly read: Read; readonly atBaseline: boolean },
): RecordState {
  return {
    resource,
    id,
    seen: null,
    reported: null,
    version: 0,
    lastEventId: null,
    atBaseline,
    firstSeenAt: arrivalOf(read),
    closedAt: null,
    removedAt: null,
    lastRead: read,
    nextEdgeAt: null,
    memory: {},
  }
}

/** When the answer to a read had arrived, however old it was by then. */
export function arrivalOf({ answeredAt, arrivedAt = answeredAt }: Read): number {
  return arrivedAt
}

/** Whether two reads are one answer, as far as their instants tell. */
export function isSameRead(one: Read, other: Read): boolean {
  return one.sentAt === other.sentAt && one.answeredAt === other.answeredAt
}

/**
 * A read applies only if its request was sent after the answer last applied had arrived; of an answer that was made earlier,
 * the instants of its making count. An applied read that began in this one's future means that the clock was set back, and
 * says nothing about order.
 */
export function isFresh(read: Read, lastApplied: Read | undefined): boolean {
  if (lastApplied === undefined) return true
  return read.sentAt >= lastApplied.answeredAt || lastApplied.sentAt > arrivalOf(read)
}
