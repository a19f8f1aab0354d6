import {
  isKeepable,
  type NewNote,
  type Note,
  type NoteTopic,
  type ShipmentLink,
  type TakenNote,
} from '../../model/note.ts'
import type { BatchChange } from '../ports/commit-port.ts'
import type { PlainRowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'

const SHOWN = TABLES.notes.only('resource id number fresh because')

/** The columns of a note that is taken up. */
export const NOTE_COLUMNS = SHOWN.names

export type NoteRow = PlainRowOf<typeof SHOWN>

export function toNote({ because, fresh, id, number, resource }: NoteRow): Note {
  return { resource, id, number, isFresh: fresh === 1, because }
}

export function noteRow(account: string, { because, id, isFresh, number, resource, topic }: NewNote) {
  return { account, topic, resource, id, number, fresh: isFresh ? 1 : 0, because }
}

/** What becomes of a note where the record moves again: its number grows in whatever order clocks go. `most`: the larger of two. */
export function movedAgain(most: 'max' | 'greatest'): string {
  return `number = ${most}(notes.number + 1, excluded.number), fresh = ${most}(notes.fresh, excluded.fresh),
    because = coalesce(excluded.because, notes.because)`
}

type ChangeOf<Kind> = Omit<Extract<BatchChange, { readonly kind: Kind }>, 'kind'>

export type TopicChange = ChangeOf<'topic'>
export type LinksChange = ChangeOf<'links'>

export interface Taken {
  readonly topic: NoteTopic
  readonly notes: readonly TakenNote[]
}

/** The links that every store can keep. */
export function keptLinks(account: string, links: readonly ShipmentLink[]): readonly ShipmentLink[] {
  return links.filter(({ id, shipment }) => isKeepable(account, shipment, id))
}
