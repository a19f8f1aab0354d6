import { asStarted } from '../../../invocation.ts'
import { factLines, type Fact } from '../../../message/facts/fact.ts'
import type { NetEntry } from '../../../message/net/net-entry.ts'
import type { Severity } from '../../../model/severity.ts'
import { dayText, localTime } from '../../../message/wording/local-time.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import { filled, type Wording } from '../../../message/wording/wording.ts'
import { cut } from '../../../message/words/short.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { Language } from '../../../model/reader.ts'
import type { RenderMessage } from '../message-renderer.ts'
import type { Message } from '../../../message/message.ts'
import { entryLine, entryTeller, onlyEntry, type ManyEvents } from '../told-entries.ts'
import { digestSections } from './digest-sections.ts'
import { onlyAccount, tonesOf } from './mail-subject.ts'

/** What the templates of a mail show. No text in it is escaped yet. */
export interface MailView {
  /** The whole mail is about one event, or one shipment. */
  readonly single: boolean
  readonly title: string
  readonly tone: Severity
  /** Lines under the title. */
  readonly lead: readonly string[]
  /** What a phone shows beside the subject. */
  readonly preview: string
  readonly chips: readonly { readonly tone: Severity; readonly label: string }[]
  readonly sections: readonly Section[]
  /** What is known beside, where the mail is about one event. */
  readonly facts: readonly Fact[]
  /** Where the whole mail leads. */
  readonly links: readonly EventLink[]
  /** What is counted but not shown; '' where all is shown. */
  readonly more: string
  readonly footer: string
  /** The language of all texts of the mail. */
  readonly language: Language
  /** Between a label and what it is of, in that language. */
  readonly colon: string
}

interface Section {
  readonly title: string
  readonly sums: readonly string[]
  readonly items: readonly Item[]
}

/** One shipment or other record. */
interface Item {
  readonly tone: Severity
  /** All of it in one line. */
  readonly text: string
  readonly name: string
  readonly lines: readonly string[]
  /** Where it leads; '' where nowhere. */
  readonly url: string
}

export interface ViewOptions {
  readonly subscription: string
  readonly wording: Wording
  readonly render: RenderMessage
  /** The day of a digest; null: mail as it happens. */
  readonly day: string | null
  /** The most characters of one line, and the most lines that are not empty. */
  readonly room: Room
}

/** How large a mail may be. */
export interface Room {
  readonly characters: number
  readonly lines: number
}

/** What a mail says at its top and its end. */
const OTHER_LINES = 7

type Told = Omit<MailView, 'footer' | 'language' | 'colon'>

/** What a mail says of `events`, whose `entries` are the heaviest first. */
export function viewOf(events: ManyEvents, entries: readonly NetEntry[], options: ViewOptions): MailView {
  const { language, terms } = options.wording
  const about = {
    language,
    colon: terms.colon,
    footer: filled(terms.mail.footer, { subscription: options.subscription }),
  }
  if (events.length === 1 && options.day === null)
    return { ...singleView(options.render(events[0]), events[0].cause === 'test', options), ...about }
  const [entry] = entries
  if (entry !== undefined && entries.length === 1 && options.day === null)
    return { ...entryView(entry, events, options), ...about }
  return { ...severalView(entries, events, options), ...about }
}

function singleView(message: Message, isTest: boolean, { wording }: ViewOptions): Told {
  const { sentence, tone, facts, links = [], seen } = message
  return {
    single: true,
    title: sentence,
    tone,
    lead: [`${isTest ? wording.terms.test.mark : wording.terms.tones[tone]} · ${seen}`],
    preview: factLines(facts, wording).join(' · '),
    chips: [],
    sections: [],
    facts,
    links,
    more: '',
  }
}

/** Several events of one shipment: the news, then what else became of it. */
function entryView(entry: NetEntry, events: ManyEvents, { render, room, wording }: ViewOptions): Told {
  const { lines, links, title, tone } = onlyEntry(entry, render)
  const [first = '', ...rest] = lines.map((line) => cut(line, room.characters))
  return {
    single: true,
    title,
    tone,
    lead: [`${wording.terms.tones[tone]} · ${spanOf(events, wording)}`],
    preview: [first, ...rest].join(' '),
    chips: [],
    sections: [{ title: '', sums: [], items: [{ tone, text: '', name: '', lines: [first, ...rest], url: '' }] }],
    facts: [],
    links,
    more: '',
  }
}

function severalView(entries: readonly NetEntry[], events: ManyEvents, options: ViewOptions): Told {
  const { render, room, wording } = options
  const sections = digestSections(entries, room.lines - OTHER_LINES, wording)
  const shown = sections.flatMap((section) => section.entries)
  const tell = entryTeller(shown, { render })
  const account = onlyAccount(events)
  const counts = [countOf(events.length, 'event', wording), account].filter((part) => part !== null).join(' · ')
  const items = sections.map((section) => ({
    title: wording.terms.mail[section.part],
    sums: section.sums,
    items: section.entries.map((entry) => itemOf(tell(entry), options)),
  }))
  return {
    single: false,
    title: options.day ?? counts,
    tone: entries[0]?.tone ?? 'neutral',
    lead: [...(options.day === null ? [] : [counts]), spanOf(events, wording)],
    preview: items[0]?.items[0]?.text ?? '',
    chips: tonesOf(entries).map(({ tone, amount }) => ({ tone, label: countOf(amount, tone, wording) })),
    sections: items,
    facts: [],
    links: [],
    more: restOf(
      entries.filter((entry) => !shown.includes(entry)),
      { events, render, wording },
    ),
  }

  function itemOf(told: ReturnType<typeof tell>, { room: { characters } }: ViewOptions): Item {
    const { lines, links, name, tone } = told
    const most = Math.max(Math.min(characters, 140), Math.floor(characters / lines.length))
    return {
      tone,
      text: entryLine(told, wording, characters),
      name: name ?? '',
      lines: lines.map((line) => cut(line, most)),
      url: links[0]?.url ?? '',
    }
  }
}

interface RestOptions extends Pick<ViewOptions, 'render' | 'wording'> {
  readonly events: ManyEvents
}

/** What is counted and not shown, by how grave it is, and where to read it. */
function restOf(hidden: readonly NetEntry[], { events, render, wording }: RestOptions): string {
  if (hidden.length === 0) return ''
  const { mail } = wording.terms
  const tones = tonesOf(hidden).map(({ amount, tone }) => countOf(amount, tone, wording))
  const more = `${countOf(hidden.length, 'moreEntries', wording)} (${tones.join(', ')})`
  const page = render(events[0]).links?.find(({ to }) => to === 'desk')?.url
  const from = new Date(Math.min(...events.map(({ timestamp }) => timestamp))).toISOString()
  return page === undefined
    ? filled(asStarted(mail.hidden), { more })
    : filled(mail.rest, { more, url: page.replace(/\/(?:records|events)\/.*$/, `/events?since=${from}`) })
}

/** When the events were found: `Sat 21 Nov, 08:00 to Sat 21 Nov, 09:30 (Europe/Paris)`. */
function spanOf(events: ManyEvents, wording: Wording): string {
  const times = events.map(({ timestamp }) => timestamp)
  const [from = '', to = ''] = [Math.min(...times), Math.max(...times)].map((at) => localMoment(at, wording))
  const span = from === to ? from : filled(wording.terms.summary.range, { from, to })
  return `${span} (${wording.timeZone ?? 'UTC'})`
}

/** `Sat 21 Nov` */
export function localDay(instant: number, { language, timeZone }: Wording): string {
  return dayText(localTime(instant, language, timeZone ?? 'UTC').date, language, { withYear: false })
}

/** `Sat 21 Nov, 08:00` */
function localMoment(instant: number, wording: Wording): string {
  const { time } = localTime(instant, wording.language, wording.timeZone ?? 'UTC')
  return `${localDay(instant, wording)}, ${time}`
}
