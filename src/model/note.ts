import type { RecordResource } from './resource.ts'

/** Who takes up notes: what is derived of several records together, in a loop of its own. */
export type NoteTopic = 'orders' | 'expectations' | 'exceptions' | 'arrivals'

/** A record of an account, as notes name it. */
export interface NotedRecord {
  readonly resource: RecordResource
  readonly id: string
}

/** A record that moved, and what derives something of it has yet to look at. A record has one note of each topic at most. */
export interface NewNote extends NotedRecord {
  readonly topic: NoteTopic
  /** A number that grows with each move of the record; of two records the higher one moved later. */
  readonly number: number
  /** Whether the record was first shown after the topic began: what is found at the first look at it is news. */
  readonly isFresh: boolean
  /** The newest event of the record that says what moved; null: none does. */
  readonly because: string | null
}

/** A note as the store has it: several moves may have become one. */
export type Note = Omit<NewNote, 'topic'>

/** The ids of the records of a resource among those that are noted. */
export function idsOf(resource: RecordResource, notes: readonly NotedRecord[]): readonly string[] {
  return notes.filter((note) => note.resource === resource).map(({ id }) => id)
}

/** What an account and the ids of a note or a link may take: an index of PostgreSQL has entries of 2,704 bytes at most. */
const LONGEST_KEY_BYTES = 2_500

/**
 * Whether every store can keep a note or a link that names these ids, and tell it from others. A record may name a shipment by any
 * text; one that is longer, or has half a surrogate pair, is the id of no shipment that is read.
 */
export function isKeepable(account: string, ...ids: readonly string[]): boolean {
  const key = account + ids.join('')
  return Buffer.byteLength(key) <= LONGEST_KEY_BYTES && ids.every((id) => id.isWellFormed())
}

/** A note that was taken up: it goes, unless the record moved again meanwhile. */
export type TakenNote = Pick<Note, 'resource' | 'id' | 'number'>

/** A record that belongs to a shipment. */
export interface ShipmentLink extends NotedRecord {
  readonly shipment: string
}
