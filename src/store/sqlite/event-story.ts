import type { ShipbellEvent } from '../../model/event.ts'
import type { EventStory } from '../../model/event-story.ts'
import { textField } from '../../model/json.ts'
import { BodyReader } from './bodies.ts'
import type { Connection } from './connection.ts'
import { type EventRow, toEvent, toLoggedEvent } from './event-rows.ts'
import { Query } from './query.ts'
import { loadProvenance } from './provenance-rows.ts'

const BY_ID = new Query<EventRow>('SELECT * FROM events WHERE id = ?')
// An event's id names it alone; the subject is there for the index to find it by.
const NEXT = new Query<EventRow>('SELECT * FROM events WHERE subject_id = ? AND previous_event_id = ?')
const CORRECTIONS = new Query<EventRow>(
  `SELECT * FROM events WHERE subject_id = ? AND cause = 'correction' AND extras ->> '$.corrects' = ? ORDER BY ref`,
)

/** `QueryStore.story`, inside one read transaction. */
export function eventStory(db: Connection, id: string): EventStory | null {
  const bodies = new BodyReader(db)
  const row = db.one(BY_ID, id)
  if (row === undefined) return null
  const eventOf = (found: EventRow | undefined): ShipbellEvent | null =>
    found === undefined ? null : toEvent(found, bodies)
  const event = toLoggedEvent(row, bodies)
  const named = (other: string | null) => (other === null ? null : eventOf(db.one(BY_ID, other)))
  return {
    event,
    provenance: loadProvenance(db, row.sighting),
    previous: named(row.previous_event_id),
    next: eventOf(db.one(NEXT, row.subject_id, id)),
    corrects: named(textField(event.extras, 'corrects')),
    correctedBy: db.all(CORRECTIONS, row.subject_id, id).map((each) => toEvent(each, bodies)),
  }
}
