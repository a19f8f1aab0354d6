/** `length` characters of the unescaped text at `at` stand for `sourceLength` characters of the source at `source`. */
export interface Unescaped {
  readonly at: number
  readonly length: number
  readonly source: number
  readonly sourceLength: number
}

const HEX = '[0-9a-f]'
const NEXT = `%[89ab]${HEX}`
/** Escapes by their kind; a percent-encoded one is one character of UTF-8 or, where it is none, one byte. */
const ESCAPES = [
  String.raw`\\(?:u\{(?<braced>${HEX}{1,6})\}|u(?<unit>${HEX}{4})|x(?<byte>${HEX}{2})|(?<plain>[^a-z0-9]|[bfnrt]))`,
  `(?<percent>%f[0-4]${NEXT}${NEXT}${NEXT}|%e${HEX}${NEXT}${NEXT}|%[cd]${HEX}${NEXT}|%${HEX}{2})|%u(?<wide>${HEX}{4})`,
  String.raw`&(?:#(?<decimal>\d{1,7});?|#x(?<hex>${HEX}{1,6});?|(?<name>[a-z]{2,8});)`,
]
const ESCAPE = new RegExp(ESCAPES.join('|'), 'gi')
/** An escape that the end of the text has cut off. */
const CUT_ESCAPE =
  /(?:\\(?:u\{?[0-9a-f]{0,6}|x[0-9a-f]?)?|(?:%[0-9a-f]{2}){0,3}%(?:u[0-9a-f]{0,3}|[0-9a-f]?)|&[#0-9a-z]{0,8})$/i
const LONGEST_CUT_ESCAPE = 12
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * The text with every escape replaced by what it stands for, once: those of JSON, JavaScript and Markdown, percent-encoding,
 * and HTML's. null: it has none.
 */
export function unescape(text: string): { readonly text: string; readonly escapes: readonly Unescaped[] } | null {
  if (!/[\\%&]/.test(text)) return null
  const escapes: Unescaped[] = []
  const pieces: string[] = []
  let from = 0
  let length = 0
  for (const match of text.matchAll(ESCAPE)) {
    const stands = standsFor(match.groups ?? {})
    if (stands === null) continue
    const before = text.slice(from, match.index)
    pieces.push(before, stands)
    length += before.length
    escapes.push({ at: length, length: stands.length, source: match.index, sourceLength: match[0].length })
    length += stands.length
    from = match.index + match[0].length
  }
  return escapes.length === 0 ? null : { text: pieces.join('') + text.slice(from), escapes }
}

/** The text without an escape that its end has cut off. */
export function withoutCutEscape(text: string): string {
  const tail = text.slice(-LONGEST_CUT_ESCAPE)
  const at = tail.search(CUT_ESCAPE)
  return at === -1 ? text : text.slice(0, text.length - tail.length + at)
}

function standsFor(groups: Readonly<Record<string, string | undefined>>): string | null {
  const { braced, unit, byte, plain, percent, wide, decimal, hex, name } = groups
  if (plain !== undefined) return CONTROLS[plain.toLowerCase()] ?? plain
  if (percent !== undefined) return ofPercent(percent)
  if (name !== undefined) return characterOf(name)
  if (decimal !== undefined) return ofCodePoint(Number(decimal))
  const digits = braced ?? unit ?? byte ?? wide ?? hex
  return digits === undefined ? null : ofCodePoint(Number.parseInt(digits, 16))
}

function ofCodePoint(code: number): string | null {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : null
}

function ofPercent(escaped: string): string {
  const bytes = Buffer.from(escaped.replaceAll('%', ''), 'hex')
  const [first = 0] = bytes
  return bytes.length === 1 ? String.fromCodePoint(first) : bytes.toString('utf8')
}

/** From U+00A0 on, one after another, as HTML 4 names them. */
const LATIN = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot ' +
  'cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
  'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ' +
  'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
).split(' ')

/** The printable characters of ASCII that have names. */
const ASCII: Readonly<Record<string, string>> = {
  amp: '&',
  AMP: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  excl: '!',
  grave: '`',
  gt: '>',
  GT: '>',
  hat: '^',
  Hat: '^',
  lbrace: '{',
  lbrack: '[',
  lcub: '{',
  lowbar: '_',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  LT: '<',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  QUOT: '"',
  rbrace: '}',
  rbrack: ']',
  rcub: '}',
  rpar: ')',
  rsqb: ']',
  semi: ';',
  sol: '/',
  verbar: '|',
  vert: '|',
}

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ...LATIN.map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ...Object.entries(ASCII),
])

/** What `&name;` stands for, of ASCII and Latin-1; null: nothing that is known. */
function characterOf(name: string): string | null {
  return CHARACTERS.get(name) ?? null
}
