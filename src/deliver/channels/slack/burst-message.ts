import { toneOf } from '../../../message/message.ts'
import type { Tone } from '../../../message/tone.ts'
import { moment } from '../../../message/words/moment.ts'
import { words } from '../../../message/words/short.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import { formatInstant } from '../../../model/instant.ts'
import { field } from '../../../model/json.ts'
import { fullPayload } from '../../../model/payload.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { burstCounts } from './burst-counts.ts'
import { sizeOf } from './inert-text.ts'
import { attachment, context, header, lineOf, listOf, message, type SlackMessage } from './slack-message.ts'
import { TONE_COLORS, TONES } from './tone-colors.ts'

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
  const headline = headlineOf(events)
  const counts = burstCounts(events).map(lineOf)
  const shown = thatFit(events.map(ranked).sort(worstFirst), render)
  const bars = TONES.map((tone) => ({
    tone,
    lines: shown.filter((each) => each.tone === tone).map(({ line }) => line),
  }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ tone, lines }) => attachment(TONE_COLORS[tone], `${lines.length} ${tone}`, listOf(lines)))
  const foot = attachment(TONE_COLORS.neutral, headline, [context(footOf(events, events.length - shown.length))])
  return message(`${headline}: ${burstCounts(events).join('; ')}`, {
    blocks: [header(headline), ...listOf(counts)],
    attachments: [...bars, foot],
  })
}

function headlineOf(events: readonly [ShipbellEvent, ...ShipbellEvent[]]): string {
  const [{ account, subject }] = events
  return `${events.length} ${words(subject.resource)} events${account === null ? '' : ` of ${account}`}`
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

function footOf(events: readonly [ShipbellEvent, ...ShipbellEvent[]], more: number): string {
  const [first] = events
  const last = events.at(-1) ?? first
  const [from, to] = [first, last].map(({ timestamp }) => moment(formatInstant(timestamp)))
  const seen = from === to ? from : `${from} to ${to}`
  return `${more > 0 ? `and ${more} more · ` : ''}${seen} · ${first.id} to ${last.id}`
}
