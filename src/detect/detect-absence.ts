import type { Read, RecordState } from '../model/record-state.ts'
import type { RecordResource } from '../model/resource.ts'
import type { Detected } from './detect-input.ts'
import { isFresh } from './read-order.ts'
import { detectRemoval } from './removal.ts'

export interface AbsenceInput {
  readonly account: string
  readonly resource: RecordResource
  readonly before: RecordState
  /** The read that was answered 404. */
  readonly read: Read
}

/**
 * What a 404 teaches of a record that has no list: the second in a row after content removes it. The first moves its last
 * read on, and remembers the one that still showed it.
 */
export function detectAbsence({ account, resource, before, read }: AbsenceInput): Detected {
  if (!isFresh(read, before.lastRead)) return { state: before, events: [] }
  const { lastShown, ...memory } = before.memory
  if (before.seen === null || before.removedAt !== null) return { state: { ...before, lastRead: read }, events: [] }
  if (lastShown === undefined) {
    return { state: { ...before, lastRead: read, memory: { ...memory, lastShown: before.lastRead } }, events: [] }
  }
  const shown = { ...before, lastRead: lastShown, memory }
  return detectRemoval({ account, resource, before: shown, ignore: [], read, mode: 'ring', shipment: null })
}
