import type { EventStory } from '../../model/event-rule.ts'
import { ADDRESSED_CAUSES, type LoggedEvent, type ShipbellEvent } from '../../model/event.ts'
import { textField } from '../../model/json.ts'
import { type AccountChoice, accountsAsked } from '../../model/scope.ts'
import { type EventRow, toEvent, toLoggedEvent } from '../events/event-rows.ts'
import type { SeenChange, SeenQuery } from '../ports/query-port.ts'
import { type Ask, chosenAccounts, type Dialect, first, isOfChosen } from './dialect.ts'
import type { Lookup } from './lookup.ts'
import { NO_ACCOUNT } from '../../model/account.ts'

/** One event, and what stands beside it, inside one read transaction. */
export class EventStories<Source> {
  readonly #dialect: Dialect<Source>
  readonly #byId: Ask<Source, EventRow>
  readonly #beside: Ask<Source, EventRow>
  readonly #told: Ask<Source, { readonly told: string }>
  readonly #seen: Ask<Source, SeenChange>

  constructor(dialect: Dialect<Source>) {
    this.#dialect = dialect
    this.#byId = dialect.all('SELECT * FROM events WHERE id = :id')
    this.#beside = besideOf(dialect)
    this.#told = dialect.all('SELECT told FROM sightings WHERE ref = :ref')
    this.#seen = seenBy(dialect)
  }

  *event(source: Source, id: string): Lookup<LoggedEvent | null> {
    const row = yield* first(this.#byId(source, { id }))
    return row === undefined ? null : toLoggedEvent(row, yield* this.#dialect.documents(source, [row]))
  }

  /** `QueryStore.story`. */
  *story(source: Source, id: string): Lookup<EventStory | null> {
    const row = yield* first(this.#byId(source, { id }))
    if (row === undefined) return null
    const corrects = correctedBy(row)
    const named = [row.previous_event_id, corrects].filter((other) => other !== null)
    const beside = yield* this.#beside(source, { id, subject: row.subject_id, named })
    const bodies = yield* this.#dialect.documents(source, [row, ...beside])
    const told = yield* first(this.#told(source, { ref: row.sighting }))
    const eventOf = (found: EventRow | undefined): ShipbellEvent | null =>
      found === undefined ? null : toEvent(found, bodies)
    return {
      event: toLoggedEvent(row, bodies),
      provenance: told === undefined ? null : JSON.parse(told.told),
      previous: eventOf(beside.find((each) => each.id === row.previous_event_id)),
      next: eventOf(beside.find((each) => each.previous_event_id === id)),
      corrects: eventOf(beside.find((each) => each.id === corrects)),
      correctedBy: beside
        .filter((each) => each.cause === 'correction' && correctedBy(each) === id)
        .map((each) => toEvent(each, bodies)),
    }
  }

  /** `QueryStore.changesSeen`. */
  *changesSeen(source: Source, account: string, { most, since }: SeenQuery): Lookup<readonly SeenChange[]> {
    const begin = yield* this.#dialect.lowerBoundSince(source, since)
    const after = yield* this.#dialect.sequenceAt(source, account, begin - 1)
    return yield* this.#seen(source, { account, since, after, most })
  }
}

/** The event that an event corrects; null: none. */
function correctedBy({ extras }: EventRow): string | null {
  return textField(JSON.parse(extras), 'corrects')
}

// The subject is there for the index to find them by. What an event corrects is read where its text was found: it may not be JSON
// that PostgreSQL can read.
function besideOf<Source>({ all, by, isOneOf, only }: Dialect<Source>): Ask<Source, EventRow> {
  const named = isOneOf('id', 'named', 'text')
  // A subject may be longer than PostgreSQL lets a key of an index be.
  const isHashed = only({ sqlite: 'true', postgres: 'hashtextextended(subject_id, 0) = hashtextextended(:subject, 0)' })
  const names = only({ sqlite: 'instr(extras, :id)', postgres: 'strpos(extras, :id)' })
  const addressed = ADDRESSED_CAUSES.map((cause) => `'${cause}'`).join(', ')
  return all(`
    SELECT * FROM events WHERE ${named}
    UNION ALL
    SELECT * FROM events ${by('events_subject')}
    WHERE ${isHashed} AND subject_id = :subject AND NOT (${named})
      AND ((previous_event_id = :id AND cause NOT IN (${addressed})) OR (cause = 'correction' AND ${names} > 0))
    ORDER BY ref`)
}

function seenBy<Source>({ all, by, only, rowOfKey }: Dialect<Source>): Ask<Source, SeenChange> {
  const key = { account: 'event.account', resource: 'event.resource', id: 'event.subject_id' }
  const ofAccount = only({ sqlite: `ifnull(account, '')`, postgres: `coalesce(account, '')` })
  return all(`
    SELECT DISTINCT event.resource, event.subject_id AS id, event.not_before AS "notBefore", event.not_after AS "notAfter",
      pages.skip
    FROM (
      SELECT * FROM events ${by('events_sequence')}
      WHERE ${ofAccount} = :account AND sequence > :after ORDER BY sequence DESC LIMIT CAST(:most AS integer)
    ) AS event
      LEFT JOIN ${rowOfKey('reads', key)}
      LEFT JOIN pages ON pages.ref = reads.page
    WHERE event.stored_at >= :since AND event.cause IN ('change', 'correction')
      AND event.not_before < event.not_after
      AND event.type NOT LIKE '%.removed' AND event.type NOT LIKE '%.restored'
    ORDER BY 4, 2, 3, 1, 5`)
}

/** Ids that are looked at where an account is asked for, too: they say nothing of it. */
const MOST_LOOKED_AT = 2_000

/** Follows every text that a prefix begins. */
const LAST_CHARACTER = '\u{10FFFF}'

interface Named {
  readonly id: string
  readonly account: string | null
}

interface Naming extends AccountChoice {
  readonly limit: number
}

/** `LogQueryStore.eventsNamed`, inside one read transaction. */
export function eventsNamed<Source>(
  dialect: Dialect<Source>,
): (source: Source, name: string, naming: Naming) => Lookup<readonly string[]> {
  const { byId, byPrefix, bySequence } = statements(dialect)
  return function* (source, name, naming) {
    const accounts = accountsAsked(naming)
    const asked = { ...chosenAccounts(naming), limit: naming.limit }
    const sequence = sequenceNamed(name)
    if (sequence !== null) return ids(yield* bySequence(source, { ...asked, sequence }))
    if (name === '') return []
    const exact = yield* first(byId(source, { id: name }))
    if (exact !== undefined) {
      return accounts?.includes(exact.account ?? NO_ACCOUNT) === false ? [] : [exact.id]
    }
    return ids(yield* byPrefix(source, { ...asked, from: name, to: afterPrefix(name) }))
  }
}

function statements<Source>(dialect: Dialect<Source>) {
  const { all, only } = dialect
  // Each store has an index by this text; SQLite's has no type, and is used only where it is compared with what has none (`+`).
  const ofAccount = only({
    sqlite: `ifnull(events.account, '') = +accounts.account`,
    postgres: `coalesce(events.account, '') = accounts.account`,
  })
  return {
    byId: all<Named>('SELECT id, account FROM events WHERE id = :id'),
    byPrefix: all<Pick<Named, 'id'>>(`
      SELECT id FROM (
        SELECT id, account FROM events WHERE id >= :from AND id < :to ORDER BY id LIMIT ${MOST_LOOKED_AT}
      ) AS looked WHERE ${isOfChosen(dialect)} ORDER BY id LIMIT CAST(:limit AS integer)`),
    // The limit of all accounts keeps both planners from looking for each event twice.
    bySequence: all<Pick<Named, 'id'>>(`
      SELECT id FROM (
        SELECT account, (
          SELECT id FROM events WHERE ${ofAccount} AND sequence = :sequence LIMIT 1
        ) AS id
        FROM accounts WHERE ${isOfChosen(dialect)} ORDER BY account
        LIMIT ${Number.MAX_SAFE_INTEGER}
      ) AS named WHERE id IS NOT NULL ORDER BY account LIMIT CAST(:limit AS integer)`),
  }
}

function ids(rows: readonly Pick<Named, 'id'>[]): readonly string[] {
  return rows.map(({ id }) => id)
}

/** The sequence that a name stands for (`#12`); null: it is none. */
function sequenceNamed(name: string): number | null {
  const digits = /^#(\d{1,15})$/.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** What comes behind all texts that begin with a prefix. */
function afterPrefix(prefix: string): string {
  return `${prefix}${LAST_CHARACTER}`
}
