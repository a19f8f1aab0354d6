/** Where a text stops being JSON; both count from 1. `at`: the character that stands there; null: the text ends too soon. */
export interface JsonFlaw {
  readonly line: number
  readonly column: number
  readonly at: string | null
}

const SPACE = /[ \t\n\r]*/y
const SCALAR =
  /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy
/** A text as far as it is one. */
const UNENDED = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy

/** What is expected next. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'comma or end' | 'nothing'

/**
 * The first place at which a text is no JSON; null: it is JSON. What the platform's parser says of it shows a part of the text, which
 * may hold a secret, and not always the place.
 */
export function jsonFlaw(text: string): JsonFlaw | null {
  if (isJson(text)) return null
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  for (let at = skip(SPACE, text, 0); ; at = skip(SPACE, text, at)) {
    const next = step({ text, at, expected, open })
    if (next.flawAt !== null) return placeOf(text, next.flawAt)
    ;[at, expected] = [next.at, next.expected]
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface Reading {
  readonly text: string
  readonly at: number
  readonly expected: Expected
  /** What is open around the place: the reading changes it. */
  readonly open: ('{' | '[')[]
}

interface Next {
  readonly at: number
  readonly expected: Expected
  readonly flawAt: number | null
}

function step(reading: Reading): Next {
  const { at, expected, open, text } = reading
  const character = text.charAt(at)
  const flaw = (place: number): Next => ({ at, expected, flawAt: place })
  const closes = open.at(-1) === '{' ? '}' : ']'
  if (expected.endsWith('or end') && character === closes && open.pop() !== undefined)
    return goesOn(at + 1, after(open))
  switch (expected) {
    case 'nothing':
      return flaw(at)
    case 'comma or end':
      return character === ',' ? goesOn(at + 1, open.at(-1) === '{' ? 'key' : 'value') : flaw(at)
    case 'key':
    case 'key or end': {
      const end = character === '"' ? skip(SCALAR, text, at) : at
      if (end === at) return flaw(character === '"' ? skip(UNENDED, text, at) : at)
      const colon = skip(SPACE, text, end)
      return text.charAt(colon) === ':' ? goesOn(colon + 1, 'value') : flaw(colon)
    }
    case 'value':
    case 'value or end': {
      if (character === '{' || character === '[') {
        open.push(character)
        return goesOn(at + 1, character === '{' ? 'key or end' : 'value or end')
      }
      const end = skip(SCALAR, text, at)
      return end === at ? flaw(character === '"' ? skip(UNENDED, text, at) : at) : goesOn(end, after(open))
    }
    default:
      return expected satisfies never
  }
}

function goesOn(at: number, expected: Expected): Next {
  return { at, expected, flawAt: null }
}

function after(open: readonly string[]): Expected {
  return open.length === 0 ? 'nothing' : 'comma or end'
}

/** The end of what a pattern takes from a place on. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return at + (pattern.exec(text)?.[0].length ?? 0)
}

function placeOf(text: string, at: number): JsonFlaw {
  const before = text.slice(0, at).split('\n')
  const point = text.codePointAt(at)
  return {
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
    at: point === undefined ? null : String.fromCodePoint(point),
  }
}
