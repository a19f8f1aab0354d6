import { ShipbellError } from '../../errors.ts'

/** What a cursor holds: the key of the last row that was looked at. */
export type CursorParts = readonly (string | number)[]

const LONGEST = 4_096

/** A place in a list as opaque text; `list` keeps it from being taken for a place in another one. */
export function writeCursor(list: string, parts: CursorParts): string {
  return Buffer.from(JSON.stringify([list, ...parts])).toString('base64url')
}

/**
 * The place that a cursor stands for; undefined where none was given. `read` says what its parts mean, or null where they can
 * be no place of the list. Throws `bad_cursor`.
 */
export function readCursor<Place>(
  cursor: string | undefined,
  list: string,
  read: (parts: readonly unknown[]) => Place | null,
): Place | undefined {
  if (cursor === undefined) return undefined
  const [of, ...parts] = partsOf(cursor)
  const place = of === list ? read(parts) : null
  if (place === null) {
    throw new ShipbellError('bad_cursor', 'The cursor is none of this list: take `next` of its last page, or none.')
  }
  return place
}

function partsOf(cursor: string): readonly unknown[] {
  if (cursor.length > LONGEST || !/^[\w-]+$/.test(cursor)) return []
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

export function isPlaceNumber(part: unknown): part is number {
  return typeof part === 'number' && Number.isSafeInteger(part)
}
