/** Line ends, tabs and other controls: a value is one line. `\s` has a mark in it that cannot be seen, so those go first. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu
/**
 * What cannot be seen and changes how the rest is read (bidirectional controls, tags, fillers), and what is no character. The
 * joiners and variation selectors that scripts and emoji are written with stay.
 */
const UNSEEN =
  /[\p{Bidi_Control}\p{Noncharacter_Code_Point}]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}]/u

const OF_ADDRESS = /[\p{L}\p{N}._+-]/u

const DASH = '–'
const ELLIPSIS = '…'

/** A value of a record as one line that shows everything it holds; a dash where nothing can be seen of it. */
export function inertText(text: string): string {
  const line = text.toWellFormed().replaceAll(UNSEEN, '').replaceAll(BREAKS, ' ').trim()
  return SEEN.test(line) ? line : DASH
}

/** Where a character stands: between these ('' at either end). */
export interface Place {
  readonly before: string
  readonly after: string
  /** Behind a number alone, as the mark of a list does. */
  readonly isNumbered: boolean
  /** Behind an `@` of the same word. */
  readonly isBehindAt: boolean
  /** Behind a `.` of the same word. */
  readonly isBehindDot: boolean
}

/** What stands for a character at its place. */
export type Escape = (character: string, place: Place) => string

/** Escaped, and cut to `most` of `sizeOf`: neither an escape nor a character in half. */
export function escapedWithin(text: string, most: number, escape: Escape): string {
  const characters = Array.from(text)
  const inert: string[] = []
  let size = 0
  let roomForEllipsis = 0
  let isNumber = true
  let isBehindAt = false
  let isBehindDot = false
  for (const [at, character] of characters.entries()) {
    const [before = '', after = ''] = [characters[at - 1], characters[at + 1]]
    const escaped = escape(character, { before, after, isNumbered: isNumber && at > 0, isBehindAt, isBehindDot })
    isNumber &&= character >= '0' && character <= '9'
    isBehindAt = character === '@' || (isBehindAt && OF_ADDRESS.test(character))
    isBehindDot = character === '.' || (isBehindDot && character !== ' ')
    size += sizeOf(escaped)
    if (size > most) return inert.slice(0, roomForEllipsis).join('') + ELLIPSIS
    inert.push(escaped)
    if (size + sizeOf(ELLIPSIS) <= most) roomForEllipsis = inert.length
  }
  return inert.join('')
}

/**
 * The most that anybody could count for a text: as JSON with everything beyond ASCII as `\uXXXX`. Chats do not say what they
 * count as a character.
 */
export function sizeOf(text: string): number {
  let size = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) size += code === 0x0a ? 2 : 6
    else size += code === 0x22 || code === 0x5c || code === 0x2f ? 2 : 1
  }
  return size
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Where `&`, `<` and `>` are markup: Slack's, and the HTML of Google Chat. */
export const asEntities: Escape = (character) => ENTITIES[character] ?? character

/** Where nothing is markup. */
export const asItIs: Escape = (character) => character
