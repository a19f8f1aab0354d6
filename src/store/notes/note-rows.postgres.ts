import type { NewNote, NoteTopic, ShipmentLink } from '../../model/note.ts'
import type { Noted, NoteStore } from '../ports/note-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { jsonRows, type Part } from '../server/statement-parts.ts'
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

const NOTED = new Query<{ settings: string | null; notes: readonly NoteRow[] }>(`
  SELECT (SELECT settings FROM topics WHERE account = :account AND topic = :topic) AS settings,
    (SELECT coalesce(json_agg(each), '[]') FROM (
      SELECT ${NOTE_COLUMNS} FROM notes WHERE account = :account AND topic = :topic ORDER BY resource, id LIMIT :most
    ) AS each) AS notes`)
const LINKED = new Query<ShipmentLink>(`
  SELECT links.shipment, links.resource, links.id
  FROM unnest(:shipments::text[]) WITH ORDINALITY AS wanted (shipment, place) JOIN links USING (shipment)
  WHERE links.account = :account ORDER BY place, links.resource, links.id`)
const NOTE = `
  note AS (
    ${TABLES.notes.insertAll()} ON CONFLICT (account, topic, resource, id) DO UPDATE SET ${movedAgain('greatest')}
  )`
const NOTE_ALL = new Query(`
  INSERT INTO notes (account, topic, resource, id, number, fresh)
  SELECT account, :topic, resource, id, :number, 0 FROM records
  WHERE account = :account AND resource = ANY(:resources::text[])
  ON CONFLICT (account, topic, resource, id) DO UPDATE SET number = greatest(notes.number + 1, excluded.number), fresh = 0`)
const TAKE = new Query(`
  DELETE FROM notes USING unnest(:resources::text[], :ids::text[], :numbers::bigint[]) AS taken (resource, id, number)
  WHERE notes.account = :account AND notes.topic = :topic AND notes.resource = taken.resource AND notes.id = taken.id
    AND notes.number = taken.number`)
const DROP_NOTES = new Query('DELETE FROM notes WHERE account = :account AND topic = :topic')
const DROP_TOPIC = new Query('DELETE FROM topics WHERE account = :account AND topic = :topic')
const BEGIN = new Query(TABLES.topics.upsert)
const LINK = new Query(`${TABLES.links.insertAll()} ON CONFLICT DO NOTHING`)
const UNLINK = new Query(`
  DELETE FROM links USING json_to_recordset(:rows::json) AS gone (shipment text, resource text, id text)
  WHERE links.account = :account AND links.shipment = gone.shipment AND links.resource = gone.resource AND links.id = gone.id`)

export function noteStore(db: Database): NoteStore {
  return {
    noted: async (account, topic, most) => await noted(db, account, { topic, most }),
    linkedTo: async (account, shipments) =>
      shipments.length === 0 ? [] : await db.all(LINKED, { account, shipments }),
  }
}

async function noted(
  db: Database,
  account: string,
  wanted: { readonly topic: NoteTopic; readonly most: number },
): Promise<Noted> {
  const found = await db.one(NOTED, { account, ...wanted })
  return { settings: found?.settings ?? null, notes: (found?.notes ?? []).map(toNote) }
}

/** The notes of a batch as a part of what it writes, because each statement is a round trip. */
export function notePart(account: string, notes: readonly NewNote[]): Part | null {
  if (notes.length === 0) return null
  return { sql: NOTE, values: { rows: jsonRows(notes.map((note) => noteRow(account, note))) } }
}

/** The account is held. */
export async function saveTopic(
  tx: Transaction,
  account: string,
  { number, resources, settings, topic }: TopicChange,
): Promise<void> {
  if (settings === null) {
    await tx.run(DROP_TOPIC, { account, topic })
    await tx.run(DROP_NOTES, { account, topic })
    return
  }
  await tx.run(BEGIN, { account, topic, settings })
  await tx.run(NOTE_ALL, { account, topic, resources, number })
}

/** The account is held. */
export async function dropTaken(tx: Transaction, account: string, { notes, topic }: Taken): Promise<void> {
  const resources = notes.map(({ resource }) => resource)
  const ids = notes.map(({ id }) => id)
  const numbers = notes.map(({ number }) => number)
  await tx.run(TAKE, { account, topic, resources, ids, numbers })
}

/** The account is held. */
export async function saveLinks(tx: Transaction, account: string, { found, gone }: LinksChange): Promise<void> {
  if (gone.length > 0) await tx.run(UNLINK, { account, rows: jsonRows(gone.map((link) => ({ ...link }))) })
  const kept = keptLinks(account, found)
  if (kept.length > 0) await tx.run(LINK, { rows: jsonRows(kept.map((link) => ({ account, ...link }))) })
}
