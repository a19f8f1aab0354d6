import type { Note, NoteTopic, ShipmentLink } from '../../model/note.ts'

/**
 * Notes of what moved. A commit writes them with the records that moved (`ReadBatch.notes`); whoever derives something of several
 * records takes them up, and commits what comes of it together with their end (`BatchChange` `taken`).
 */
export interface NoteStore {
  /** The state of a topic of an account with its first notes; cheap where there is none. */
  noted(account: string, topic: NoteTopic, most: number): Promise<Noted>

  /** The records that belong to these shipments, as they were linked last (`BatchChange` `links`). */
  linkedTo(account: string, shipments: readonly string[]): Promise<readonly ShipmentLink[]>
}

export interface Noted {
  /** The settings that the topic began with (`BatchChange` `topic`); null: it has not begun. */
  readonly settings: string | null
  /** The notes in the order of resource and id. */
  readonly notes: readonly Note[]
}
