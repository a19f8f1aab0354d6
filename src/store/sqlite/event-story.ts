import type { ShipbellEvent } from '../../model/event.ts'
import type { EventStory } from '../../model/event-story.ts'
import { textField } from '../../model/json.ts'
import { BodyReader } from './bodies.ts'
import type { Connection } from './connection.ts'
import { type EventRow, toEvent } from './event-rows.ts'
import { Query } from './query.ts'
import { loadSighting } from './sightings.ts'

const BY_ID = new Query<EventRow>('SELECT * FROM events WHERE id = ?')
// The subject's events are found by its id and told apart by the rest: an id may be used in two accounts or resources.
const OF_SUBJECT = 'subject_id = ? AND account IS ? AND resource = ?'
const NEXT = new Query<EventRow>(`SELECT * FROM events WHERE ${OF_SUBJECT} AND previous_event_id = ?`)
const CORRECTIONS = new Query<EventRow>(
  `SELECT * FROM events WHERE ${OF_SUBJECT} AND cause = 'correction' AND extras ->> '$.corrects' = ? ORDER BY ref`,
)

/** `QueryStore.story`, inside one read transaction. */
export function eventStory(db: Connection, id: string): EventStory | null {
  const bodies = new BodyReader(db)
  const row = db.one(BY_ID, id)
  if (row === undefined) return null
  const told = (found: EventRow | undefined): ShipbellEvent | null =>
    found === undefined ? null : toEvent(found, bodies)
  const event = toEvent(row, bodies)
  const named = (other: string | null) => (other === null ? null : told(db.one(BY_ID, other)))
  const subject = [row.subject_id, row.account, row.resource] as const
  return {
    event,
    sighting: loadSighting(db, row.sighting),
    previous: named(row.previous_event_id),
    next: told(db.one(NEXT, ...subject, id)),
    corrects: named(textField(event.extras, 'corrects')),
    correctedBy: db.all(CORRECTIONS, ...subject, id).map((each) => toEvent(each, bodies)),
  }
}
