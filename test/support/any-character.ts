import { integer } from 'fast-check'

const FIRST_HALF = 0xd800
const HALVES = 0x800
const LAST = 0x10ffff

/**
 * Any character, as a unit of text: all but the halves of pairs. The unit `binary` of fast-check has the same ones, and takes a
 * second to make a table of them all.
 */
export const ANY_CHARACTER = integer({ min: 0, max: LAST - HALVES }).map(
  (index) => String.fromCodePoint(index < FIRST_HALF ? index : index + HALVES),
  // By it the texts that are dangerous to programs are cut into characters, and come up as well.
  (character) => {
    const code = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1
    if (code < 0 || String.fromCodePoint(code) !== character) throw new RangeError('That is no single character.')
    return code < FIRST_HALF ? code : code - HALVES
  },
)
