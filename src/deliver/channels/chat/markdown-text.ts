import type { Escape, Place } from './inert-text.ts'

/** A character that nobody sees and that ends a word: `@all` with one inside mentions nobody. */
const SPLIT = '\u200b'
const WORD = /[\p{L}\p{N}]/u

/** Where a backslash makes each of these plain, and nothing but a split does so for the rest of Markdown. */
export function markdownText(escapable: ReadonlySet<string>): Escape {
  return (character, place) => {
    const { before, after } = place
    if (character === '_' && WORD.test(before) && WORD.test(after)) return character
    const escaped = escapable.has(character) ? `\\${character}` : character
    if (before === '' && beginsBlock(escaped, after)) return SPLIT + escaped
    return means(character, place) || isOfHost(escaped, place) ? escaped + SPLIT : escaped
  }
}

/** `a.b\~` is a host to Rocket.Chat, up to and with the backslash, which it shows then; the `~` must mean nothing without it. */
function isOfHost(escaped: string, { isBehindDot }: Place): boolean {
  return isBehindDot && escaped.length > 1
}

/** Whether something begins with what stands between these. */
function means(character: string, place: Place): boolean {
  const { after, isNumbered } = place
  switch (character) {
    case '@':
      return isMention(place) || isMentionInWord(place)
    case '#':
    case '~':
      return isMention(place)
    case ':':
      return isName(place)
    case '<':
    case '&':
      return /[a-z!/?#]/i.test(after)
    case ']':
      return after === '('
    case '|':
      return after === '|'
    case '\\':
      return after === '.'
    case '.':
    case ')':
      return isNumbered && after === ' '
    default:
      return false
  }
}

/** `@all`, `#channel`, `~channel`; an address of mail mentions nobody. */
function isMention({ before, after }: Place): boolean {
  return !WORD.test(before) && after !== '' && after !== ' '
}

/** `a@b@all` and `a@.all`, which are no addresses of mail: Rocket.Chat finds a mention behind the first word. */
function isMentionInWord({ after, isBehindAt }: Place): boolean {
  return after !== '' && after !== ' ' && (isBehindAt || !WORD.test(after))
}

/** `:name:`, and the `://` of an address, which would be fetched for a preview; a time of day is neither. */
function isName({ before, after }: Place): boolean {
  return /\d/.test(before) ? /[a-z/]/i.test(after) : /[\p{L}\p{N}_+/-]/u.test(after)
}

/** A list or a quotation. */
function beginsBlock(escaped: string, after: string): boolean {
  return escaped === '>' || ('-+'.includes(escaped) && (after === ' ' || after === escaped))
}
