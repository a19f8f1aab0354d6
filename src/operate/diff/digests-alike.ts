import { isDeepStrictEqual } from 'node:util'
import { LONGEST_LINE, withOwnLines } from '../../deliver/channels/told-entries.ts'
import { type Message, viewOf } from '../../message/message.ts'
import { renderedBy } from '../../message/template/rendered-by.ts'
import { cut } from '../../message/words/short.ts'
import type { DailyTime } from '../../model/daily-time.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { MessageTemplate } from '../../model/message-template.ts'
import { fullPayload } from '../../model/payload.ts'
import { seenText } from './outline-judge.ts'
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

/** An event as a template says it, to whose readers ours would say `builtIn`, which stands in for a template that fails. */
export function saidBy(template: MessageTemplate | undefined, builtIn: Message, event: ShipbellEvent): Message {
  if (template === undefined) return builtIn
  try {
    return { ...builtIn, ...renderedBy(template, viewOf(fullPayload(event), builtIn), builtIn.wording) }
  } catch {
    return builtIn
  }
}

/** Whether a digest shows of an event, which is said by one of two messages, the same; null: what differs cannot be seen. */
export function digestLinesAlike(one: Message, another: Message): Verdict {
  const [line, other] = [one, another].map((message) => cut(withOwnLines(message).sentence, LONGEST_LINE))
  if (line === undefined || other === undefined) return null
  if (line !== other) return seenText(line) === seenText(other) ? null : false
  return one.tone === another.tone && isDeepStrictEqual(one.links, another.links) ? true : null
}
