import type { NetEntry } from '../../../message/net/net-entry.ts'
import type { Severity } from '../../../model/severity.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import { filled, type Wording } from '../../../message/wording/wording.ts'
import { words } from '../../../message/words/short.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { entriesToTell, entryLine, entryTeller, onlyEntry, type ManyEvents } from '../told-entries.ts'
import { TONES } from './tones.ts'

/** What events that go together come to, as one message tells it. */
export interface Burst {
  /** The news of the one shipment or record that it is about, else how much there is. */
  readonly headline: string
  /** How many shipments and records of which tone; none where it is about one. */
  readonly counts: readonly string[]
  /** What is told, by tone, the worst first, and in it what moved a date farthest. */
  readonly told: readonly ToldByTone[]
  /** What is left out, when the events were seen, and the first and last id. */
  readonly foot: string
  /** Where the one shipment or record is, that the message is about. */
  readonly links: readonly EventLink[]
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

/** What one shipment or record says in a message about many. */
const MOST_OF_MANY = 400

/** The net effect of events, as many shipments and records as fit, those first that matter most. */
export function burstOf(events: ManyEvents, form: BurstForm): Burst {
  const { wording } = form.render(events[0])
  const entries = entriesToTell(events)
  const [only] = entries
  if (only !== undefined && entries.length === 1) return burstOfOne(only, { events, form, wording })
  const told = thatFit(entries, form, wording)
  return {
    headline: headlineOf(events, wording),
    counts: [...countsOf(entries, wording)],
    told: byTone(told),
    foot: footOf(events, form.render, entries.length - told.length),
    links: [],
    wording,
  }
}

interface OneBurst {
  readonly events: ManyEvents
  readonly form: BurstForm
  readonly wording: Wording
}

/** One shipment: the news in the headline, then each thing that became of it. */
function burstOfOne(entry: NetEntry, { events, form, wording }: OneBurst): Burst {
  const { lines, links, title, tone } = onlyEntry(entry, form.render)
  let size = 0
  const fitting = lines
    .map((line) => form.line(line, tone))
    .filter((line) => {
      size += form.size(line)
      return size <= form.most
    })
  const told = fitting.length === 0 ? [] : [{ tone, lines: fitting }]
  return { headline: title, counts: [], told, foot: footOf(events, form.render, 0), links, wording }
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

/** `2 critical`, `11 warnings` */
function countsOf(entries: readonly NetEntry[], wording: Wording): readonly string[] {
  return TONES.flatMap((tone) => {
    const amount = entries.filter((entry) => entry.tone === tone).length
    return amount === 0 ? [] : [countOf(amount, tone, wording)]
  })
}

interface ToldLine {
  readonly tone: Severity
  readonly line: string
}

function thatFit(
  entries: readonly NetEntry[],
  { render, line: shown, size: sizeOf, most }: BurstForm,
  wording: Wording,
): readonly ToldLine[] {
  const tell = entryTeller(entries, { render })
  const told: ToldLine[] = []
  let size = 0
  for (const entry of entries) {
    const line = shown(entryLine(tell(entry), wording, MOST_OF_MANY), entry.tone)
    size += sizeOf(line)
    if (size > most) return told
    told.push({ tone: entry.tone, line })
  }
  return told
}

function byTone(told: readonly ToldLine[]): readonly ToldByTone[] {
  return TONES.map((tone) => ({
    tone,
    lines: told.filter((each) => each.tone === tone).map(({ line }) => line),
  })).filter(({ lines }) => lines.length > 0)
}

function footOf(events: ManyEvents, render: RenderMessage, more: number): string {
  const { seen: from, wording } = render(events[0])
  const [first, last] = [events[0], events.at(-1) ?? events[0]]
  const { seen: to } = render(last)
  const { range } = wording.terms.summary
  const seen = from === to ? from : filled(range, { from, to })
  const ids = filled(range, { from: first.id, to: last.id })
  return `${more > 0 ? `${countOf(more, 'moreEntries', wording)} · ` : ''}${seen} · ${ids}`
}
