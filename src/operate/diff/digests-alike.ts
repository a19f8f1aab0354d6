import { isDeepStrictEqual } from 'node:util'
import { LONGEST_LINE, withOwnLines } from '../../deliver/channels/told-entries.ts'
import { asStarted } from '../../invocation.ts'
import { factsOf } from '../../message/facts/facts.ts'
import { type Message, sentenceOf, viewOf } from '../../message/message.ts'
import { toldPayload } from '../../message/message-fields.ts'
import { renderedBy } from '../../message/template/rendered-by.ts'
import type { Outlines } from '../../message/template/outlines.ts'
import { cut } from '../../message/words/short.ts'
import { wordingOf } from '../../message/wording/wording.ts'
import type { DailyTime } from '../../model/daily-time.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import type { MessageTemplate } from '../../model/message-template.ts'
import { fullPayload } from '../../model/payload.ts'
import type { Reader } from '../../model/reader.ts'
import { isSeenApart, seenText } from './outline-judge.ts'
import type { Verdict } from './verdicts.ts'
import { ZonesAlike } from './zones-alike.ts'

/** Whether digests that go at one instant are called alike, by their day or by their week. */
export function digestsNamedAlike(old: DailyTime | null, other: DailyTime | null): (until: number | null) => boolean {
  if (old === null || other === null) return () => true
  const isEvery = (old.every ?? 'day') === (other.every ?? 'day')
  const zones = { old: old.timeZone, new: other.timeZone }
  if (!isEvery) return () => false
  if (zones.old === zones.new) return () => true
  const clocks = new ZonesAlike('en')
  return (until) => until === null || clocks.at(until, zones)
}

/** What built-in messages say of an event, as templates are shown it. */
export function builtInOf(payload: JsonObject, reader: Reader): Pick<Message, 'sentence' | 'facts'> {
  const wording = wordingOf(reader)
  const told = toldPayload(payload)
  return { sentence: asStarted(sentenceOf(told, wording)), facts: factsOf(told, wording) }
}

/** An event as a channel shows it, with the template that says it, if any. */
export interface SaidEvent {
  readonly event: ShipbellEvent
  readonly template: MessageTemplate | undefined
  readonly reader: Reader
}

/**
 * Whether digests show the same of two events; null: what differs cannot be seen, or is more than what is said of them. `texts`: what both templates
 * make of one event that is shown to one reader; null: there are two events, or two readers.
 */
export function digestLinesAlike(
  [one, another]: readonly [SaidEvent, SaidEvent],
  texts: Outlines['texts'] | null,
): Verdict {
  // What is tried or told again is marked as such.
  if (one.event.cause === 'test' || one.event.cause === 'reminder') return null
  const view = viewFor(one)
  const [text, otherText] = texts?.(view.view, one.reader) ?? []
  const [line, other] = [lineOf(one, view, text), lineOf(another, texts === null ? viewFor(another) : view, otherText)]
  if (line === other) return texts === null ? null : true
  return isSeenApart(line, other) ? false : null
}

/**
 * Whether messages of their own that two templates make of one event read alike, `texts`; null: what differs cannot be seen, or is more than what
 * templates say.
 */
export function textsReadAlike(said: SaidEvent, texts: Outlines['texts']): Verdict {
  if (said.event.cause === 'test' || said.event.cause === 'reminder') return null
  const { view } = viewFor(said)
  const [one, another] = texts(view, said.reader)?.map((text) => linesOf(text, said.reader)) ?? []
  if (one === undefined || another === undefined || one === null || another === null) return null
  if (isDeepStrictEqual(one, another)) return true
  return isDeepStrictEqual(one.map(seenText), another.map(seenText)) ? null : false
}

/** The lines of a template's text; null: ours stands in for it. */
function linesOf(text: string, reader: Reader): readonly string[] | null {
  try {
    const { facts, sentence } = renderedBy({ render: () => text }, {}, wordingOf(reader))
    return [sentence, ...facts.map(({ value }) => value)]
  } catch {
    return null
  }
}

interface View {
  readonly builtIn: Pick<Message, 'sentence' | 'facts'>
  /** What templates are shown. */
  readonly view: JsonObject
}

function viewFor({ event, reader }: SaidEvent): View {
  const payload = fullPayload(event)
  const builtIn = builtInOf(payload, reader)
  return { builtIn, view: viewOf(payload, builtIn) }
}

/** What a digest shows of an event. `text`: what its template makes of it, where that is known. */
function lineOf(said: SaidEvent, { builtIn, view }: View, text?: string): string {
  const { reader, template } = said
  const made = text === undefined ? template : template && { render: () => text }
  return cut(withOwnLines({ line: '', ...saidBy(made, builtIn, { reader, view }) }).sentence, LONGEST_LINE)
}

/** An event as a template says it; ours stands in for one that fails. */
function saidBy(
  template: Pick<MessageTemplate, 'render'> | undefined,
  builtIn: View['builtIn'],
  { reader, view }: { readonly reader: Reader; readonly view: JsonObject },
): View['builtIn'] {
  if (template === undefined) return builtIn
  try {
    return renderedBy(template, view, wordingOf(reader))
  } catch {
    return builtIn
  }
}
