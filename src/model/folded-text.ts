/** Accents, and what nobody sees. */
const UNSEEN = /[\p{M}\p{Cf}\p{Cs}\p{Cc}]+/gu

/** A text without case, accents and what nobody sees. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\s+/g, ' ').replaceAll(UNSEEN, '').toLowerCase()
}

/** Letters that are more than another one with an accent, and what people type who have no such key. */
export const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
}
const LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g')

/** Folded text with the letters that people type: `lodz` for `łodz`. Terms are compared and indexed so, and kept as they are. */
export function comparable(term: string): string {
  return term.replaceAll(LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter)
}
