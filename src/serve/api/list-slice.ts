import { ShipbellError } from '../../errors.ts'
import type { Page } from '../../model/page.ts'
import { DEFAULT_LIMIT } from './parts.ts'

export interface Slice<T> {
  /** The name of the list, in its cursors. */
  readonly list: string
  readonly limit: number | undefined
  readonly cursor: string | undefined
  /** What the list is ordered by, each once. */
  readonly keyOf: (item: T) => string
}

/** A part of a short list that is known as a whole. */
export function sliced<T>(items: readonly T[], { limit = DEFAULT_LIMIT, cursor, keyOf, list }: Slice<T>): Page<T> {
  const after = cursor === undefined ? null : readCursor(cursor, list)
  const rest = after === null ? items : items.filter((item) => keyOf(item) > after)
  const part = rest.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)).slice(0, limit)
  const last = part.at(-1)
  return { items: part, next: last === undefined || part.length === rest.length ? null : cursorOf(keyOf(last), list) }
}

function cursorOf(key: string, list: string): string {
  return Buffer.from(JSON.stringify({ list, after: key })).toString('base64url')
}

function readCursor(cursor: string, list: string): string {
  try {
    const { after, list: of }: { readonly after?: unknown; readonly list?: unknown } = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    )
    if (typeof after === 'string' && of === list) return after
  } catch {
    // It is none of ours.
  }
  throw new ShipbellError('bad_cursor', 'The cursor is none of this list: take `next` of its last page, or none.')
}
