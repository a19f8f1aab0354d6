import { bodyColumns, bodyOf, documentsOf, joinBody, type RowWithBody } from '../documents/documents.postgres.ts'
import type { BodyRow } from '../documents/stored-body.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { Database } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { claimedEvent, type ClaimedEvent } from './claimed-delivery.ts'
import { IDENTITY } from './ready-rows.postgres.ts'

type EventWithBodies = EventRow & RowWithBody<'object'> & RowWithBody<'before'> & { readonly identity: string }

const EVENTS = Query.frequent<EventWithBodies>(`
  SELECT events.*, ${IDENTITY} AS identity, ${bodyColumns('object')}, ${bodyColumns('before')}
  FROM events ${joinBody('object', 'object.ref = object_body')} ${joinBody('before', 'before.ref = before_body')}
  WHERE events.ref = ANY(:refs::bigint[])`)

/**
 * The events of what was claimed. What the last claim loaded is at hand for the next: events of one change are seldom claimed all at
 * once, and neither they nor their documents change while a row of them is open. All is compared by what the events are.
 */
export class ClaimedEvents {
  readonly #db: Database
  /** Events by their `identity`. */
  #events: ReadonlyMap<string, ClaimedEvent> = new Map()

  constructor(db: Database) {
    this.#db = db
  }

  /** `wanted`: the numbers of events by what they are. */
  async load(wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, ClaimedEvent>> {
    const known = this.#events
    const { memory, place } = this.#db
    const refs = [...wanted].flatMap(([identity, ref]) => (known.has(identity) ? [] : [ref]))
    const rows = refs.length === 0 ? [] : await this.#db.all(EVENTS, { refs })
    const documents = documentsOf({ memory, place }, rows.flatMap(bodiesOf))
    const loaded = new Map(rows.map((row) => [row.identity, claimedEvent(row, documents)]))
    const events = new Map([...wanted.keys()].flatMap((each) => eventOf(each, loaded.get(each) ?? known.get(each))))
    this.#events = events
    return events
  }
}

function eventOf(identity: string, event: ClaimedEvent | undefined): readonly (readonly [string, ClaimedEvent])[] {
  return event === undefined ? [] : [[identity, event]]
}

function bodiesOf(row: EventWithBodies): readonly BodyRow[] {
  return [bodyOf(row, 'object'), bodyOf(row, 'before')].filter((body) => body !== null)
}
