import { isAddressed, type LoggedEvent } from '../../model/event.ts'
import type { SubjectResource } from '../../model/resource.ts'
import type { EventQuery, LogEnds } from '../ports/log-query-port.ts'
import { type Documents, type EventRow, toLoggedEvent } from '../events/event-rows.ts'
import {
  comparePlaces,
  FIRST,
  LAST,
  type MergedRanges,
  type Order,
  pageOf,
  type Place,
  type RangeText,
  readPlace,
} from './ranges.ts'
import { type Dialect, first, inBothOrders, type RangesInOrder } from './dialect.ts'
import type { Page } from '../../model/page.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import { atHand, type Lookup } from './lookup.ts'

/** The name of the list in its cursors. */
const EVENT_LIST = 'events'

/** Events that a page looks at where it is not found by an index alone: some milliseconds. */
const MOST_EVENTS_LOOKED_AT = 1_000
/** Kinds of events, by account and type, from which a page is merged; beyond them the log is looked through. */
const MOST_KINDS = 1_000

/** The stretch of the log that a page lies in. */
interface EventSpan {
  readonly order: Order
  readonly from: Place
  /** What may not be passed, at the far end. */
  readonly bound: number
}

function eventSpan({ oldestFirst, since, until }: EventQuery, after: Place | undefined): EventSpan {
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
function isOfKinds({ account, accounts, resource, types }: EventQuery): boolean {
  return account !== undefined || accounts !== undefined || resource !== undefined || types !== undefined
}

/** The kinds that are asked for, each once; null: they are too many. */
function kindsAsked(kinds: readonly EventKind[], query: EventQuery): readonly EventKind[] | null {
  const asked = new Map(
    kinds
      .filter((kind) => isAskedKind(kind, query))
      .map((kind) => [JSON.stringify([kind.account, kind.type]), kind] as const),
  )
  return asked.size > MOST_KINDS ? null : [...asked.values()]
}

function isAskedEvent(row: EventRow, query: EventQuery): boolean {
  return (
    (query.addressed === true || !isAddressed(row)) &&
    isAskedKind(row, query) &&
    (query.subjectId === undefined || row.subject_id === query.subjectId)
  )
}

function isAskedKind(kind: EventKind, { account, accounts, resource, types }: EventQuery): boolean {
  return (
    (account === undefined || kind.account === account) &&
    (accounts === undefined || (kind.account !== null && accounts.includes(kind.account))) &&
    (resource === undefined || kind.resource === resource) &&
    (types === undefined || types.includes(kind.type))
  )
}

interface EventKind {
  readonly account: string | null
  readonly type: string
  readonly resource: SubjectResource
}

/** Stands for the documents of events that nobody asks for. */
const NO_DOCUMENTS: Documents = { find: () => null, load: () => null }

/** Pages of the log, inside one read transaction. */
export class EventPages<Source> {
  readonly #dialect: Dialect<Source>
  readonly #of: Readonly<Record<'kind' | 'subject' | 'all', RangesInOrder<Source>>>
  readonly #kinds
  readonly #byIds
  readonly #byRefs
  readonly #last
  readonly #anyRun
  readonly #begin

  constructor(dialect: Dialect<Source>) {
    const { all, isOneOf } = dialect
    this.#dialect = dialect
    this.#of = {
      kind: inBothOrders(dialect, ofKind(dialect)),
      subject: inBothOrders(dialect, ofSubject(dialect)),
      all: inBothOrders(dialect, ofAll(dialect)),
    }
    this.#kinds = all<EventKind>(`SELECT nullif(account, '') AS account, type, resource FROM event_kinds`)
    this.#byRefs = all<EventRow>(`SELECT * FROM events WHERE ${isOneOf('ref', 'refs', 'bigint')}`)
    this.#byIds = all<EventRow>(`SELECT * FROM events WHERE ${isOneOf('id', 'ids', 'text')} ORDER BY ref DESC`)
    this.#begin = all<{ to: number | null }>('SELECT dropped_to AS "to" FROM ledger_begin')
    this.#anyRun = all<{ run: string }>('SELECT run FROM snapshot_runs LIMIT 1')
    this.#last = all<{ ref: number }>('SELECT ref FROM events ORDER BY ref DESC LIMIT 1')
  }

  /** `LogQueryStore.eventPage`. */
  *page(source: Source, query: EventQuery): Lookup<Page<LoggedEvent>> {
    const [byRefs, eventsOf] = [this.#byRefs, this.#eventsOf(query)]
    const { cursor, ids, limit } = query
    if (ids !== undefined) return { items: yield* this.#named(source, ids, query), next: null }
    const ranges = yield* this.#ranges(source, query, eventSpan(query, readPlace(cursor, EVENT_LIST)))
    const load = function* (refs: readonly number[]): Lookup<ReadonlyMap<number, LoggedEvent>> {
      return yield* eventsOf(source, yield* byRefs(source, { refs }))
    }
    return yield* pageOf(ranges, { load, limit, list: EVENT_LIST, most: Math.max(MOST_EVENTS_LOOKED_AT, limit) })
  }

  *#named(source: Source, ids: readonly string[], query: EventQuery): Lookup<readonly LoggedEvent[]> {
    const rows = ids.length === 0 ? [] : yield* this.#byIds(source, { ids })
    return [...(yield* this.#eventsOf(query)(source, rows)).values()]
  }

  /** The events of those rows that are asked for, by `ref`. */
  #eventsOf(query: EventQuery) {
    const dialect = this.#dialect
    return function* (source: Source, rows: readonly EventRow[]): Lookup<ReadonlyMap<number, LoggedEvent>> {
      const asked = rows.filter((row) => isAskedEvent(row, query))
      const bodies = query.bare === true ? NO_DOCUMENTS : yield* dialect.documents(source, asked)
      return new Map(asked.map((row) => [row.ref, toLoggedEvent(row, bodies)]))
    }
  }

  *#ranges(source: Source, query: EventQuery, { bound, from, order }: EventSpan): Lookup<MergedRanges> {
    const { subjectId } = query
    const asked = { from, order, values: () => atHand({ bound }) }
    if (subjectId !== undefined)
      return this.#of.subject[order](source, { ...asked, each: [() => ({ subject: subjectId })] })
    // Runs leave thousands of snapshots in the log, which are of no kind: whoever looks through all of it would see nothing but them.
    const isByKind = isOfKinds(query) || (yield* first(this.#anyRun(source))) !== undefined
    const kinds = isByKind ? kindsAsked(yield* this.#kinds(source), query) : null
    if (kinds === null) return this.#of.all[order](source, { ...asked, each: [() => ({})] })
    const each = kinds.map(({ account, type }) => () => ({ account: account ?? NO_ACCOUNT, type }))
    return this.#of.kind[order](source, { ...asked, each })
  }

  *ends(source: Source): Lookup<LogEnds> {
    const last = yield* first(this.#last(source))
    return { droppedTo: (yield* first(this.#begin(source)))?.to ?? null, lastPlace: last?.ref ?? 0 }
  }
}

const BEYOND = {
  newest: '(stored_at, ref) < (:key, :ref) AND stored_at >= :bound',
  oldest: '(stored_at, ref) > (:key, :ref) AND stored_at < :bound',
} as const
const SORTED = {
  newest: 'ORDER BY key DESC, ref DESC LIMIT CAST(:most AS integer)',
  oldest: 'ORDER BY key, ref LIMIT CAST(:most AS integer)',
} as const

type TextIn = (order: Order) => RangeText

function ofKind({ by, only }: Dialect<never>): TextIn {
  return (order) => ({
    columns: { account: 'text', type: 'text' },
    rows: ({ account, type }) => `
      SELECT stored_at AS key, ref FROM events ${by('events_kind')}
      WHERE ${only({ sqlite: `account IS nullif(${account}, '')`, postgres: `coalesce(account, '') = ${account}` })}
        AND events.type = ${type} AND ${BEYOND[order]} ${SORTED[order]}`,
  })
}

function ofSubject({ by, only }: Dialect<never>): TextIn {
  return (order) => ({
    columns: { subject: 'text' },
    // A subject may be longer than PostgreSQL lets a key of an index be.
    rows: ({ subject }) => `
      SELECT stored_at AS key, ref FROM events ${by('events_subject')}
      WHERE ${only({ sqlite: '', postgres: `hashtextextended(subject_id, 0) = hashtextextended(${subject}, 0) AND` })}
        subject_id = ${subject} AND ${BEYOND[order]} ${SORTED[order]}`,
  })
}

function ofAll({ only }: Dialect<never>): TextIn {
  return (order) => {
    const rows = (condition: string): string =>
      `SELECT stored_at AS key, ref FROM events ${condition} AND ${BEYOND[order]}`
    // SQLite's store has an index by time for events with payloads, and one for those without; it merges both.
    const halves = only({
      sqlite: `
        ${rows('INDEXED BY events_kept WHERE expired_at IS NULL')}
        UNION ALL ${rows('INDEXED BY events_bare WHERE expired_at IS NOT NULL')}`,
      postgres: rows('WHERE true'),
    })
    return { columns: {}, rows: () => `${halves} ${SORTED[order]}` }
  }
}
