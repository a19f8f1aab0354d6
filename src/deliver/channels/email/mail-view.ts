import { asStarted } from '../../../invocation.ts'
import { factLines, type Fact } from '../../../message/facts/fact.ts'
import type { Severity } from '../../../model/severity.ts'
import type { FactName } from '../../../message/languages/terms.ts'
import { dayText, localTime } from '../../../message/wording/local-time.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import { filled, type Wording } from '../../../message/wording/wording.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { Language } from '../../../model/reader.ts'
import { groupEvents, type EventGroup } from './event-groups.ts'
import { slipLine, type NetLine } from './net-effect.ts'
import type { RenderedEvent } from './rendered-event.ts'
import { onlyAccount } from './mail-subject.ts'

/** What the templates of a mail show. No text in it is escaped yet. */
export interface MailView {
  /** The whole mail is one event. */
  readonly single: boolean
  readonly title: string
  readonly tone: Severity
  /** Lines under the title. */
  readonly lead: readonly string[]
  /** What a phone shows beside the subject. */
  readonly preview: string
  readonly chips: readonly { readonly tone: Severity; readonly label: string }[]
  readonly sections: readonly Section[]
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
  readonly groups: readonly Group[]
}

interface Group {
  readonly tone: Severity
  readonly items: readonly Item[]
  readonly facts: readonly Fact[]
  /** Where a mail about one event leads; a mail about several has links beside each. */
  readonly links: readonly EventLink[]
}

interface Item {
  readonly tone: Severity
  readonly sentence: string
  readonly when: string
  readonly links: readonly EventLink[]
}

interface ViewOptions {
  readonly subscription: string
  readonly wording: Wording
  /** The day of a digest; null: mail as it happens. */
  readonly day: string | null
  /** Whether the mail is the digest of a week. */
  readonly weekly: boolean
}

const MOST_SHOWN = 200
const MOST_LOGGED = 100
const MOST_SLIPPED = 10
/** What one looks for among many events; the sentences say the rest. */
const AMONG_MANY: ReadonlySet<FactName> = new Set(['shipment', 'route', 'containers', 'orders', 'account'])
const NAME_THE_SHIPMENT: ReadonlySet<string> = new Set(['shipment', 'tracking'])

export function viewOf(events: readonly RenderedEvent[], options: ViewOptions): MailView {
  const [only] = events
  const { language, terms } = options.wording
  const about = {
    language,
    colon: terms.colon,
    footer: filled(terms.mail.footer, { subscription: options.subscription }),
  }
  if (only !== undefined && events.length === 1 && options.day === null)
    return { ...singleView(only, options), ...about }
  return { ...severalView(events, options), ...about }
}

function singleView(
  rendered: RenderedEvent,
  { wording }: ViewOptions,
): Omit<MailView, 'footer' | 'language' | 'colon'> {
  const { sentence, tone, facts, links = [] } = rendered.message
  const isTest = rendered.event.cause === 'test'
  return {
    single: true,
    title: sentence,
    tone,
    lead: [`${isTest ? wording.terms.test.mark : wording.terms.tones[tone]} · ${rendered.message.seen}`],
    preview: factLines(facts, wording).join(' · '),
    chips: [],
    sections: [{ title: '', groups: [{ tone, items: [], facts, links }] }],
    more: '',
  }
}

function severalView(
  events: readonly RenderedEvent[],
  options: ViewOptions,
): Omit<MailView, 'footer' | 'language' | 'colon'> {
  const { wording } = options
  const { terms } = wording
  const groups = groupEvents(events)
  const shown = firstOf(groups, MOST_SHOWN)
  const log = logOf(events, groups)
  const told = log.length > 0 ? log.length : shown.reduce((sum, { lines }) => sum + lines.length, 0)
  const hidden = events.length - told
  const account = onlyAccount(events)
  const times = events.map(({ event }) => event.timestamp)
  const [from = '', to = ''] = [Math.min(...times), Math.max(...times)].map((at) => localMoment(at, wording))
  const counts = [countOf(events.length, 'event', wording), account].filter((part) => part !== null).join(' · ')
  return {
    single: false,
    title: options.day ?? counts,
    tone: groups[0]?.tone ?? 'neutral',
    lead: [
      ...(options.day === null ? [] : [counts]),
      `${from === to ? from : filled(terms.summary.range, { from, to })} (${wording.timeZone ?? 'UTC'})`,
    ],
    preview: groups[0]?.lines[0].sentence ?? '',
    chips: chipsOf(events, groups, wording),
    sections: [
      ...(options.weekly ? slippedSection(groups, wording) : []),
      ...sectionsOf(shown, { ...options, withAccount: account === null }),
      ...logSection(log, wording),
    ],
    more: hidden === 0 ? '' : filled(asStarted(terms.mail.hidden), { more: countOf(hidden, 'moreEvents', wording) }),
  }
}

/** Each event, oldest first and the newest of many, where the lines above sum some of them up. */
function logOf(events: readonly RenderedEvent[], groups: readonly EventGroup[]): readonly RenderedEvent[] {
  const own = groups.flatMap(({ lines }) => lines).filter((line) => line.events.length === 1)
  if (own.length === events.length) return []
  return events.toSorted((a, b) => a.event.timestamp - b.event.timestamp).slice(-MOST_LOGGED)
}

function logSection(log: readonly RenderedEvent[], { terms }: Wording): readonly Section[] {
  if (log.length === 0) return []
  const items = log.map((rendered) => itemOf({ ...rendered.message, events: [rendered] }))
  return [{ title: terms.summary.log, groups: [{ tone: 'neutral', items, facts: [], links: [] }] }]
}

/** The dates that went farthest, either way. */
function slippedSection(groups: readonly EventGroup[], { terms }: Wording): readonly Section[] {
  const slips = groups
    .flatMap(({ lines }) => lines)
    .filter(({ minutes }) => minutes !== null)
    .toSorted((a, b) => Math.abs(b.minutes ?? 0) - Math.abs(a.minutes ?? 0))
    .slice(0, MOST_SLIPPED)
  if (slips.length === 0) return []
  return [
    {
      title: terms.summary.slipped,
      groups: [{ tone: 'warning', items: slips.map(slipLine).map(itemOf), facts: [], links: [] }],
    },
  ]
}

function chipsOf(events: readonly RenderedEvent[], groups: readonly EventGroup[], wording: Wording): MailView['chips'] {
  const due = groups.filter((group) => group.due !== null).length
  const tones: readonly Severity[] = ['critical', 'warning', 'good', 'neutral']
  const byTone = tones.map((tone) => ({ tone, amount: events.filter(({ message }) => message.tone === tone).length }))
  const shown = byTone.filter(({ amount }) => amount > 0)
  return [
    ...(due === 0 ? [] : [{ tone: 'warning' as const, label: countOf(due, 'fallingDue', wording) }]),
    ...shown.map(({ tone, amount }) => ({ tone, label: countOf(amount, tone, wording) })),
  ]
}

function sectionsOf(
  groups: readonly EventGroup[],
  options: ViewOptions & { readonly withAccount: boolean },
): readonly Section[] {
  const { sections, mail } = options.wording.terms
  const bySection = Map.groupBy(groups, ({ due, tone }) => (due === null ? sections[tone] : mail.fallsDue))
  return [...bySection].map(([title, members]) => ({
    title,
    groups: members.map((group) => viewOfGroup(group, options)),
  }))
}

function viewOfGroup({ lines, tone }: EventGroup, { withAccount }: { readonly withAccount: boolean }): Group {
  const events = lines.flatMap((line) => line.events)
  const [{ event }] = lines[0].events
  const namesShipment = NAME_THE_SHIPMENT.has(event.subject.resource)
  const isSaid = (name: FactName): boolean =>
    (name === 'shipment' && namesShipment) || (name === 'account' && !withAccount)
  const { facts = [] } = newest(events)?.message ?? {}
  return {
    tone,
    items: lines.map(itemOf),
    facts: facts.filter(({ name }) => name === null || (AMONG_MANY.has(name) && !isSaid(name))),
    links: [],
  }
}

/** A line with the time and the links of the last event in it. */
function itemOf({ tone, sentence, events }: Pick<NetLine, 'tone' | 'sentence' | 'events'>): Item {
  const { event, message } = events.at(-1) ?? events[0]
  return { tone, sentence, when: localMoment(event.timestamp, message.wording), links: message.links ?? [] }
}

function newest(events: readonly RenderedEvent[]): RenderedEvent | undefined {
  return events.toSorted((a, b) => a.event.timestamp - b.event.timestamp).at(-1)
}

/** The first groups with so many lines together, the last of them cut where it passes that. */
function firstOf(groups: readonly EventGroup[], most: number): readonly EventGroup[] {
  const shown: EventGroup[] = []
  let left = most
  for (const group of groups) {
    if (left <= 0) break
    const [first, ...rest] = group.lines
    shown.push({ ...group, lines: [first, ...rest.slice(0, left - 1)] })
    left -= group.lines.length
  }
  return shown
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
