import { toneOf } from '../../../message/message.ts'
import type { Severity } from '../../../model/severity.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import { filled, type Wording } from '../../../message/wording/wording.ts'
import { words } from '../../../message/words/short.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import { field, textField } from '../../../model/json.ts'
import { fullPayload } from '../../../model/payload.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { TONES } from './tones.ts'

export type ManyEvents = readonly [ShipbellEvent, ...ShipbellEvent[]]

/** Many events of one account and kind of record, as one message tells them. */
export interface Burst {
  readonly headline: string
  /** How many of which, the most frequent first: `480 × shipment.eta_changed: 300 later, 180 earlier`. */
  readonly counts: readonly string[]
  /** The events that were told, by tone, the worst first, and in it the dates that moved farthest. */
  readonly told: readonly ToldByTone[]
  /** What is left out, when it was seen, and the first and last id. */
  readonly foot: string
  /** The wording in which all of it is said. */
  readonly wording: Wording
}

interface ToldByTone {
  readonly tone: Severity
  readonly lines: readonly string[]
}

interface BurstForm {
  readonly render: RenderMessage
  /** A sentence as the message shows it. */
  readonly line: (sentence: string, tone: Severity) => string
  /** What a line takes of `most`. */
  readonly size: (line: string) => number
  /** The most characters of all lines together; what is beyond is counted. */
  readonly most: number
}

/** A burst of as many of the events as fit, those first that matter most. */
export function burstOf(events: ManyEvents, form: BurstForm): Burst {
  const { wording } = form.render(events[0])
  const told = thatFit(events.map(ranked).sort(worstFirst), form)
  const byTone = TONES.map((tone) => ({
    tone,
    lines: told.filter((each) => each.tone === tone).map(({ line }) => line),
  }))
  return {
    headline: headlineOf(events, wording),
    counts: burstCounts(events, wording),
    told: byTone.filter(({ lines }) => lines.length > 0),
    foot: footOf(events, form.render, events.length - told.length),
    wording,
  }
}

function headlineOf(events: ManyEvents, wording: Wording): string {
  const [{ account, subject }] = events
  const { summary } = wording.terms
  const isOneKind = events.every((event) => event.subject.resource === subject.resource)
  const kind = words(subject.resource, wording)
  const counted = countOf(events.length, 'event', wording)
  const whose = events.every((event) => event.account === account) ? account : null
  const said = [
    isOneKind ? filled(summary.eventsAbout, { n: String(events.length), kind }) : counted,
    whose === null ? '' : filled(summary.ofAccount, { account: whose }),
  ]
  const areTests = events.every(({ cause }) => cause === 'test')
  return `${areTests ? `${wording.terms.test.mark}${wording.terms.colon}` : ''}${said.join('')}`
}

interface Ranked {
  readonly event: ShipbellEvent
  readonly tone: Severity
  /** How far a date moved, either way. */
  readonly minutes: number
}

function ranked(event: ShipbellEvent): Ranked {
  const shift = field(field(event.extras, 'date_change'), 'shift_minutes')
  return { event, tone: toneOf(fullPayload(event)), minutes: typeof shift === 'number' ? Math.abs(shift) : 0 }
}

function worstFirst(a: Ranked, b: Ranked): number {
  return rank(a.tone) - rank(b.tone) || b.minutes - a.minutes
}

function rank(tone: Severity): number {
  return TONES.indexOf(tone)
}

interface ToldLine {
  readonly tone: Severity
  readonly line: string
}

function thatFit(
  events: readonly Ranked[],
  { render, line: shown, size: sizeOf, most }: BurstForm,
): readonly ToldLine[] {
  const told: ToldLine[] = []
  let size = 0
  for (const { event, tone } of events) {
    const line = shown(render(event).sentence, tone)
    size += sizeOf(line)
    if (size > most) return told
    told.push({ tone, line })
  }
  return told
}

function footOf(events: ManyEvents, render: RenderMessage, more: number): string {
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
