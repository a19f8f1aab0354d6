import type { Page } from '../../model/page.ts'
import type { EventQuery, PlacedEvent } from '../ports/log-query-port.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import { toKeptEvent, type Documents, type EventRow } from '../events/event-rows.ts'
import { first, type Dialect } from './dialect.ts'
import {
  EVENT_LIST,
  eventSpan,
  isAskedEvent,
  isOfKinds,
  kindsAsked,
  MOST_EVENTS_LOOKED_AT,
  type EventSpan,
} from './event-query.ts'
import { atHand, type Lookup } from './lookup.ts'
import { readPlace, type Order } from './place.ts'
import { pageOf, type MergedRanges, type RangesAsked, type RangeText } from './ranges.ts'

type RangesIn<Source> = Readonly<Record<Order, (source: Source, asked: RangesAsked) => MergedRanges>>

/** Pages of the log, inside one read transaction. */
export class EventPages<Source> {
  readonly #dialect: Dialect<Source>
  readonly #ofKind: RangesIn<Source>
  readonly #ofSubject: RangesIn<Source>
  readonly #ofAll: RangesIn<Source>
  readonly #byRefs
  readonly #after
  readonly #last

  constructor(dialect: Dialect<Source>) {
    const { all, isOneOf } = dialect
    this.#dialect = dialect
    this.#ofKind = inBothOrders(dialect, ofKind(dialect))
    this.#ofSubject = inBothOrders(dialect, ofSubject(dialect))
    this.#ofAll = inBothOrders(dialect, ofAll(dialect))
    this.#byRefs = all<EventRow>(`SELECT * FROM events WHERE ${isOneOf('ref', 'refs', 'bigint')}`)
    this.#after = all<EventRow>('SELECT * FROM events WHERE ref > :place ORDER BY ref LIMIT CAST(:limit AS integer)')
    this.#last = all<{ ref: number }>('SELECT ref FROM events ORDER BY ref DESC LIMIT 1')
  }

  /** `LogQueryStore.eventPage`; `read` makes an item of each row. */
  *page<T>(source: Source, query: EventQuery, read: (row: EventRow, bodies: Documents) => T): Lookup<Page<T>> {
    const [dialect, byRefs] = [this.#dialect, this.#byRefs]
    const { cursor, limit } = query
    const ranges = yield* this.#ranges(source, query, eventSpan(query, readPlace(cursor, EVENT_LIST)))
    const load = function* (refs: readonly number[]): Lookup<ReadonlyMap<number, T>> {
      const rows = (yield* byRefs(source, { refs })).filter((row) => isAskedEvent(row, query))
      const bodies = yield* dialect.documents(source, rows)
      return new Map(rows.map((row) => [row.ref, read(row, bodies)]))
    }
    return yield* pageOf(ranges, { load, limit, list: EVENT_LIST, most: Math.max(MOST_EVENTS_LOOKED_AT, limit) })
  }

  *#ranges(source: Source, query: EventQuery, { bound, from, order }: EventSpan): Lookup<MergedRanges> {
    const { subjectId } = query
    const asked = { from, order, values: () => atHand({ bound }) }
    if (subjectId !== undefined)
      return this.#ofSubject[order](source, { ...asked, each: [() => ({ subject: subjectId })] })
    const kinds = isOfKinds(query) ? kindsAsked(yield* this.#dialect.eventKinds(source), query) : null
    if (kinds === null) return this.#ofAll[order](source, { ...asked, each: [() => ({})] })
    const each = kinds.map(({ account, type }) => () => ({ account: account ?? NO_ACCOUNT, type }))
    return this.#ofKind[order](source, { ...asked, each })
  }

  *after(source: Source, place: number, limit: number): Lookup<readonly PlacedEvent[]> {
    const found = yield* this.#after(source, { place, limit })
    const bodies = yield* this.#dialect.documents(source, found)
    return found.map((row) => Object.assign(toKeptEvent(row, bodies), { place: row.ref }))
  }

  *lastPlace(source: Source): Lookup<number> {
    return (yield* first(this.#last(source)))?.ref ?? 0
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

function inBothOrders<Source>({ rangesOf }: Dialect<Source>, text: TextIn): RangesIn<Source> {
  return { newest: rangesOf(text('newest')), oldest: rangesOf(text('oldest')) }
}

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
