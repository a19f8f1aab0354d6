/** Control characters beyond ASCII's, what orders text the other way or joins it, line ends of Unicode, halves of characters. */
const UNSEEN_IN_JSON = /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** A joiner between two pictures is not among them: it makes them one. */
const UNSEEN =
  /(?![\n\t]|\u200D(?<=(?:\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D)(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const ESC = '\u001B'
/** What a terminal may be sent: colours, a line or all of it taken off, a new line, a tab. */
const OWN = String.raw`${ESC}\[\d{1,2}m|\r?${ESC}\[2K|${ESC}\[H${ESC}\[J|[\n\t]`
const OWN_OR_UNSEEN = new RegExp(String.raw`(${OWN})|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]`, 'gu')

/** A document without a character that a terminal obeys: JSON has them only inside its texts, where an escape says the same. */
export function printableJson(json: string): string {
  return json.replaceAll(UNSEEN_IN_JSON, escaped)
}

/**
 * What is about to be written to a terminal, with nothing in it that this program does not write there itself. The escapes are
 * JSON's, so that a document stays the same.
 */
export function printable(text: string): string {
  return text.replaceAll(OWN_OR_UNSEEN, (character: string, own?: string) => own ?? escaped(character))
}

/** A text as a page shows it: what would not be seen, or would order other characters, as its escape; lines, tabs and what joins two pictures to one stay. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, escaped)
}

/** One word of a command in a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
