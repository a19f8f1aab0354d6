import type { SubjectResource } from '../../model/resource.ts'
import type { EventQuery } from '../ports/log-query-port.ts'
import type { EventRow } from '../events/event-rows.ts'
import { comparePlaces, FIRST, LAST, type Order, type Place } from './place.ts'

/** The name of the list in its cursors. */
export const EVENT_LIST = 'events'

/** Events that a page looks at where it is not found by an index alone: some milliseconds. */
export const MOST_EVENTS_LOOKED_AT = 1_000
/** Kinds of events, by account and type, from which a page is merged; beyond them the log is looked through. */
const MOST_KINDS = 1_000

export interface EventKind {
  readonly account: string | null
  readonly type: string
  readonly resource: SubjectResource
}

/** The stretch of the log that a page lies in. */
export interface EventSpan {
  readonly order: Order
  readonly from: Place
  /** What may not be passed, at the far end. */
  readonly bound: number
}

export function eventSpan({ oldestFirst, since, until }: EventQuery, after: Place | undefined): EventSpan {
  const begin = since === undefined ? FIRST : { key: since, ref: FIRST.ref }
  const end = until === undefined ? LAST : { key: until, ref: FIRST.ref }
  if (oldestFirst === true) {
    return {
      order: 'oldest',
      from: comparePlaces(after ?? FIRST, begin) < 0 ? begin : (after ?? begin),
      bound: end.key,
    }
  }
  return { order: 'newest', from: comparePlaces(after ?? LAST, end) > 0 ? end : (after ?? end), bound: begin.key }
}

/** Whether a page is found by the kinds of its events. */
export function isOfKinds({ account, resource, types }: EventQuery): boolean {
  return account !== undefined || resource !== undefined || types !== undefined
}

/** The kinds that are asked for, each once; null: they are too many. */
export function kindsAsked(kinds: readonly EventKind[], query: EventQuery): readonly EventKind[] | null {
  const asked = new Map(
    kinds
      .filter((kind) => isAskedKind(kind, query))
      .map((kind) => [JSON.stringify([kind.account, kind.type]), kind] as const),
  )
  return asked.size > MOST_KINDS ? null : [...asked.values()]
}

export function isAskedEvent(row: EventRow, query: EventQuery): boolean {
  return isAskedKind(row, query) && (query.subjectId === undefined || row.subject_id === query.subjectId)
}

function isAskedKind(kind: EventKind, { account, resource, types }: EventQuery): boolean {
  return (
    (account === undefined || kind.account === account) &&
    (resource === undefined || kind.resource === resource) &&
    (types === undefined || types.includes(kind.type))
  )
}
