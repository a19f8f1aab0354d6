import { unescape, type Unescaped } from './unescape.ts'

/** Half open. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text as one reads it who takes off its escapes so many times. */
export interface View {
  readonly text: string
  /** Where in the raw text that part of the view stands, whole escapes alone. */
  rawSpan(span: Span): Span
}

/** An answer within an answer within a log line, and one to spare. */
const DEEPEST = 4

/** The raw text first, then what each further unescaping makes of it. */
export function viewsOf(raw: string): readonly View[] {
  const outer = unescape(raw)
  // As most texts are.
  if (outer === null) return [{ text: raw, rawSpan: itself }]
  const views: View[] = [{ text: raw, rawSpan: (span) => wholeEscapes(span, outer.escapes) }]
  const layers: (readonly Unescaped[])[] = []
  let next: ReturnType<typeof unescape> = outer
  while (next !== null) {
    layers.push(next.escapes)
    const inner = [...layers]
    views.push({ text: next.text, rawSpan: (span) => wholeEscapes(inner.reduceRight(sourceSpan, span), outer.escapes) })
    next = layers.length < DEEPEST ? unescape(next.text) : null
  }
  return views
}

function itself(span: Span): Span {
  return span
}

function sourceSpan({ start, end }: Span, escapes: readonly Unescaped[]): Span {
  return { start: sourceOf(start, escapes).start, end: sourceOf(end - 1, escapes).end }
}

/** Where one character comes from. */
function sourceOf(index: number, escapes: readonly Unescaped[]): Span {
  const escape = escapes[lastUpTo(index, escapes, ({ at }) => at)]
  if (escape === undefined) return { start: index, end: index + 1 }
  const { at, length, source, sourceLength } = escape
  if (index < at + length) return { start: source, end: source + sourceLength }
  const start = source + sourceLength + (index - at - length)
  return { start, end: start + 1 }
}

/** What stands in the middle of an escape takes the whole of it along, so that none is left in part. */
function wholeEscapes({ start, end }: Span, escapes: readonly Unescaped[]): Span {
  const around = (index: number): Span => {
    const escape = escapes[lastUpTo(index, escapes, ({ source }) => source)]
    const until = escape === undefined ? 0 : escape.source + escape.sourceLength
    return escape !== undefined && index < until
      ? { start: escape.source, end: until }
      : { start: index, end: index + 1 }
  }
  return { start: around(start).start, end: around(end - 1).end }
}

/** The index of the last item whose place is at most that; -1: none. */
function lastUpTo(place: number, items: readonly Unescaped[], placeOf: (item: Unescaped) => number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && placeOf(item) <= place) low = middle + 1
    else high = middle
  }
  return low - 1
}
