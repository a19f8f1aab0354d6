import type { NewNote, NoteTopic, ShipmentLink } from '../../model/note.ts'
import type { Noted, NoteStore } from '../ports/note-port.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { TABLES } from '../tables/tables.ts'
import {
  keptLinks,
  type LinksChange,
  movedAgain,
  NOTE_COLUMNS,
  noteRow,
  type NoteRow,
  type Taken,
  toNote,
  type TopicChange,
} from './note-rows.ts'

const SETTINGS = new Query<{ settings: string }>('SELECT settings FROM topics WHERE account = ? AND topic = ?')
// The casts keep SQLite from preparing the statement anew each time.
const FIRST = new Query<NoteRow>(`
  SELECT ${NOTE_COLUMNS} FROM notes WHERE account = CAST(? AS TEXT) AND topic = CAST(? AS TEXT)
  ORDER BY resource, id LIMIT CAST(? AS INTEGER)`)
const LINKED = new Query<ShipmentLink>(
  'SELECT shipment, resource, id FROM links WHERE account = CAST(? AS TEXT) AND shipment = CAST(? AS TEXT) ORDER BY resource, id',
)
const NOTE = `${TABLES.notes.insertNamed} ON CONFLICT DO UPDATE SET ${movedAgain('max')}`
const NOTE_ALL = `
  INSERT INTO notes (account, topic, resource, id, number, fresh)
  SELECT account, :topic, resource, id, :number, 0 FROM records WHERE account = :account AND resource = :resource
  ON CONFLICT DO UPDATE SET number = max(notes.number + 1, excluded.number), fresh = 0`
const TAKE = 'DELETE FROM notes WHERE account = ? AND topic = ? AND resource = ? AND id = ? AND number = ?'
const DROP_NOTES = 'DELETE FROM notes WHERE account = ? AND topic = ?'
const DROP_TOPIC = 'DELETE FROM topics WHERE account = ? AND topic = ?'
const LINK = `${TABLES.links.insertNamed} ON CONFLICT DO NOTHING`
const UNLINK = 'DELETE FROM links WHERE account = ? AND shipment = ? AND resource = ? AND id = ?'

export function noteStore(db: Connection): NoteStore {
  return {
    noted: (account, topic, most) => db.look(() => noted(db, account, { topic, most })),
    // Shipment by shipment, because a statement of SQLite is no round trip.
    linkedTo: (account, shipments) => db.read(() => shipments.flatMap((shipment) => db.all(LINKED, account, shipment))),
  }
}

function noted(
  db: Connection,
  account: string,
  { most, topic }: { readonly topic: NoteTopic; readonly most: number },
): Noted {
  const settings = db.one(SETTINGS, account, topic)?.settings ?? null
  return { settings, notes: db.all(FIRST, account, topic, most).map(toNote) }
}

/** Runs inside the caller's write transaction. */
export function saveNotes(db: Connection, account: string, notes: readonly NewNote[]): void {
  for (const note of notes) db.run(NOTE, noteRow(account, note))
}

/** Runs inside the caller's write transaction. */
export function saveTopic(db: Connection, account: string, { number, resources, settings, topic }: TopicChange): void {
  if (settings === null) {
    db.run(DROP_TOPIC, account, topic)
    db.run(DROP_NOTES, account, topic)
    return
  }
  db.run(TABLES.topics.upsert, { account, topic, settings })
  for (const resource of resources) db.run(NOTE_ALL, { account, topic, resource, number })
}

/** Runs inside the caller's write transaction. */
export function dropTaken(db: Connection, account: string, { notes, topic }: Taken): void {
  for (const { id, number, resource } of notes) db.run(TAKE, account, topic, resource, id, number)
}

/** Runs inside the caller's write transaction. */
export function saveLinks(db: Connection, account: string, { found, gone }: LinksChange): void {
  for (const { id, resource, shipment } of gone) db.run(UNLINK, account, shipment, resource, id)
  for (const link of keptLinks(account, found)) db.run(LINK, { account, ...link })
}
