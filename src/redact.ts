import { Needles } from './redact/needles.ts'
import { withoutCutEscape } from './redact/unescape.ts'
import { viewsOf, type Span, type View } from './redact/views.ts'

const SHORTEST = 4
export const REDACTED = '[redacted]'

/** Lists of secrets live as long as the configuration that they come from, and a line of log needs them each time. */
const KNOWN = new WeakMap<readonly string[], Needles>()

/**
 * The text without these secrets, however escaped, and without the beginning of one that the end of the text has cut off. The
 * list must not change.
 */
export function redact(text: string, secrets: readonly string[]): string {
  return masked(text, needlesOf(secrets), { mask: REDACTED, isCut: true })
}

/** Makes ready to redact thousands of secrets, which takes a while: `letOthers` is called now and then. The list must not change. */
export async function prepareRedaction(secrets: readonly string[], letOthers: () => Promise<void>): Promise<void> {
  KNOWN.set(secrets, await Needles.inTurns(longEnough(secrets), letOthers))
}

function needlesOf(secrets: readonly string[]): Needles {
  const known = KNOWN.get(secrets)
  if (known !== undefined) return known
  const needles = Needles.of(longEnough(secrets))
  KNOWN.set(secrets, needles)
  return needles
}

function longEnough(secrets: readonly string[]): readonly string[] {
  return secrets.filter(({ length }) => length >= SHORTEST)
}

/** Masks one secret, of any length. What it looks for is made when something is masked first: of thousands of keys most never are. */
export function masker(secret: string, mask: string): (text: string, isCut: boolean) => string {
  let needles: Needles | null = null
  return (text, isCut) => masked(text, (needles ??= Needles.of([secret])), { mask, isCut })
}

interface Masking {
  readonly mask: string
  /** Whether there was more of the text. */
  readonly isCut: boolean
}

/** What is escaped is looked for in views of the text without its escapes, and masked where the raw text has it. */
function masked(text: string, needles: Needles, { mask, isCut }: Masking): string {
  const found: Span[] = []
  for (const view of viewsOf(text)) {
    for (const span of needles.find(view.text)) found.push(view.rawSpan(span))
    if (isCut) addCutOff(found, view, needles)
  }
  if (found.length === 0) return text
  const pieces: string[] = []
  let from = 0
  for (const { start, end } of joined(found)) {
    pieces.push(text.slice(from, start), mask)
    from = end
  }
  return pieces.join('') + text.slice(from)
}

/** The end of the view, where it is the beginning of a secret; its last escape may be cut off, too. */
function addCutOff(found: Span[], view: View, needles: Needles): void {
  const { text } = view
  const start = needles.cutOffAt(text)
  if (start !== null) found.push(view.rawSpan({ start, end: text.length }))
  const shorter = withoutCutEscape(text)
  const earlier = shorter === text ? null : needles.cutOffAt(shorter)
  if (earlier !== null) found.push(view.rawSpan({ start: earlier, end: text.length }))
}

/** Spans in their order, what overlaps as one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (last !== undefined && span.start < last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    } else result.push(span)
  }
  return result
}
