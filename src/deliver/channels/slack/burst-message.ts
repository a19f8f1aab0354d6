import { toneOf } from '../../../message/message.ts'
import type { Tone } from '../../../message/tone.ts'
import { words } from '../../../message/words/short.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import { filled, type Wording } from '../../../message/wording/wording.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import { field, textField } from '../../../model/json.ts'
import { fullPayload } from '../../../model/payload.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { sizeOf } from './inert-text.ts'
import {
  attachment,
  context,
  header,
  lineOf,
  listOf,
  message,
  type SlackMessage,
  TONE_COLORS,
  TONES,
} from './slack-message.ts'

/** Of all lines together, so that the whole stays below what Slack takes of all blocks of a message together. */
const MOST_LINES = 6_000

interface Ranked {
  readonly event: ShipbellEvent
  readonly tone: Tone
  /** How far a date moved, either way. */
  readonly minutes: number
}

interface ShownLine {
  readonly tone: Tone
  readonly line: string
}

/**
 * Many events of one account and kind of record: how many of which, then their sentences by tone, the worst first, and in it
 * the dates that moved farthest; as many as fit.
 */
export function burstMessage(
  events: readonly [ShipbellEvent, ...ShipbellEvent[]],
  render: RenderMessage,
): SlackMessage {
  const { wording } = render(events[0])
  const headline = headlineOf(events, wording)
  const counts = burstCounts(events, wording)
  const shown = thatFit(events.map(ranked).sort(worstFirst), render)
  const bars = TONES.map((tone) => ({
    tone,
    lines: shown.filter((each) => each.tone === tone).map(({ line }) => line),
  }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ tone, lines }) => attachment(TONE_COLORS[tone], countOf(lines.length, tone, wording), listOf(lines)))
  const foot = attachment(TONE_COLORS.neutral, headline, [
    context(footOf(events, render, events.length - shown.length)),
  ])
  return message(`${headline}${wording.terms.colon}${counts.join('; ')}`, {
    blocks: [header(headline), ...listOf(counts.map(lineOf))],
    attachments: [...bars, foot],
  })
}

function headlineOf(events: readonly [ShipbellEvent, ...ShipbellEvent[]], wording: Wording): string {
  const [{ account, subject }] = events
  const { summary } = wording.terms
  const isOneKind = events.every((event) => event.subject.resource === subject.resource)
  const kind = words(subject.resource, wording)
  const counted = countOf(events.length, 'event', wording)
  const whose = events.every((event) => event.account === account) ? account : null
  return [
    isOneKind ? filled(summary.eventsAbout, { n: String(events.length), kind }) : counted,
    whose === null ? '' : filled(summary.ofAccount, { account: whose }),
  ].join('')
}

function ranked(event: ShipbellEvent): Ranked {
  const shift = field(field(event.extras, 'date_change'), 'shift_minutes')
  return { event, tone: toneOf(fullPayload(event)), minutes: typeof shift === 'number' ? Math.abs(shift) : 0 }
}

function worstFirst(a: Ranked, b: Ranked): number {
  return rank(a.tone) - rank(b.tone) || b.minutes - a.minutes
}

function rank(tone: Tone): number {
  return TONES.indexOf(tone)
}

function thatFit(events: readonly Ranked[], render: RenderMessage): readonly ShownLine[] {
  const shown: ShownLine[] = []
  let size = 0
  for (const { event, tone } of events) {
    const line = lineOf(`• ${render(event).sentence}`)
    size += sizeOf(`${line}\n`)
    if (size > MOST_LINES) return shown
    shown.push({ tone, line })
  }
  return shown
}

function footOf(events: readonly [ShipbellEvent, ...ShipbellEvent[]], render: RenderMessage, more: number): string {
  const [first] = events
  const last = events.at(-1) ?? first
  const { seen: from, wording } = render(first)
  const { seen: to } = render(last)
  const { range } = wording.terms.summary
  const seen = from === to ? from : filled(range, { from, to })
  const rest = more > 0 ? `${countOf(more, 'more', wording).trim()} · ` : ''
  return `${rest}${seen} · ${filled(range, { from: first.id, to: last.id })}`
}

const MOST_TYPES = 8

/** How many of each type, the most frequent first, and which way their dates went: `480 × shipment.eta_changed: 300 later, 180 earlier`. */
function burstCounts(events: readonly ShipbellEvent[], wording: Wording): readonly string[] {
  const types = [...Map.groupBy(events, ({ type }) => type)].sort(([, a], [, b]) => b.length - a.length)
  const lines = types.slice(0, MOST_TYPES).map(([type, all]) => `${all.length} × ${type}${directionsOf(all, wording)}`)
  const rest = types.slice(MOST_TYPES).reduce((sum, [, all]) => sum + all.length, 0)
  if (rest === 0) return lines
  const others = { n: String(rest), types: String(types.length - MOST_TYPES) }
  return [...lines, filled(wording.terms.summary.otherTypes, others)]
}

function directionsOf(events: readonly ShipbellEvent[], wording: Wording): string {
  const counted = (['later', 'earlier'] as const).map((direction) => ({
    direction,
    count: events.filter((event) => directionOf(event) === direction).length,
  }))
  const parts = counted
    .filter(({ count }) => count > 0)
    .map(({ direction, count }) => countOf(count, direction, wording))
  return parts.length === 0 ? '' : `${wording.terms.colon}${parts.join(', ')}`
}

function directionOf({ extras }: ShipbellEvent): string | null {
  return textField(field(extras, 'date_change'), 'direction')
}
