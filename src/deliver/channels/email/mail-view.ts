import { Temporal } from 'temporal-polyfill'
import { factLine, type Fact } from '../../../message/facts/fact.ts'
import type { Tone } from '../../../message/tone.ts'
import { counted } from '../../../message/words/span.ts'
import type { EventLink } from '../../../model/event-link.ts'
import { groupEvents, type EventGroup, type RenderedEvent } from './event-groups.ts'
import { onlyAccount } from './mail-subject.ts'

/** What the templates of a mail show. No text in it is escaped yet. */
export interface MailView {
  /** The whole mail is one event. */
  readonly single: boolean
  readonly title: string
  readonly tone: Tone
  /** Lines under the title. */
  readonly lead: readonly string[]
  /** What a phone shows beside the subject. */
  readonly preview: string
  readonly chips: readonly { readonly tone: Tone; readonly label: string }[]
  readonly sections: readonly Section[]
  /** What is counted but not shown; '' where all is shown. */
  readonly more: string
  readonly footer: string
}

interface Section {
  readonly title: string
  readonly groups: readonly Group[]
}

interface Group {
  readonly tone: Tone
  readonly items: readonly Item[]
  readonly facts: readonly Fact[]
  /** Of a mail about one event; others have them beside each. */
  readonly links: readonly EventLink[]
}

interface Item {
  readonly tone: Tone
  readonly sentence: string
  readonly when: string
  readonly links: readonly EventLink[]
}

interface ViewOptions {
  readonly subscription: string
  readonly timeZone: string
  /** The day of a digest; null: mail as it happens. */
  readonly day: string | null
}

const MOST_SHOWN = 200
/** What one looks for among many events; the sentences say the rest. */
const AMONG_MANY: ReadonlySet<string> = new Set(['Shipment', 'Route', 'Containers', 'Orders', 'Account'])
const NAME_THE_SHIPMENT: ReadonlySet<string> = new Set(['shipment', 'tracking'])
const TONE_NAMES: Readonly<Record<Tone, string>> = {
  critical: 'Critical',
  warning: 'Warning',
  good: 'Good news',
  neutral: 'For information',
}
const SECTION_NAMES: Readonly<Record<Tone, string>> = { ...TONE_NAMES, warning: 'Warnings' }

export function viewOf(events: readonly RenderedEvent[], options: ViewOptions): MailView {
  const [only] = events
  const footer = `Sent by Shipbell for the subscription ${options.subscription}.`
  if (only !== undefined && events.length === 1 && options.day === null) return { ...singleView(only, options), footer }
  return { ...severalView(events, options), footer }
}

function singleView(rendered: RenderedEvent, { timeZone }: ViewOptions): Omit<MailView, 'footer'> {
  const { sentence, tone, facts, links = [] } = rendered.message
  return {
    single: true,
    title: sentence,
    tone,
    lead: [`${TONE_NAMES[tone]} · ${whenOf(rendered, timeZone)} (${timeZone})`],
    preview: facts.map(factLine).join(' · '),
    chips: [],
    sections: [{ title: '', groups: [{ tone, items: [], facts, links }] }],
    more: '',
  }
}

function severalView(events: readonly RenderedEvent[], options: ViewOptions): Omit<MailView, 'footer'> {
  const groups = groupEvents(events)
  const shown = firstOf(groups, MOST_SHOWN)
  const hidden = events.length - shown.reduce((sum, group) => sum + group.events.length, 0)
  const account = onlyAccount(events)
  const times = events.map(({ event }) => event.timestamp)
  const [from, to] = [Math.min(...times), Math.max(...times)].map((at) => localTime(at, options.timeZone))
  const counts = [counted(events.length, 'event'), account].filter((part) => part !== null).join(' · ')
  return {
    single: false,
    title: options.day ?? counts,
    tone: groups[0]?.tone ?? 'neutral',
    lead: [
      ...(options.day === null ? [] : [counts]),
      `${from === to ? from : `${from} to ${to}`} (${options.timeZone})`,
    ],
    preview: groups[0]?.events[0].message.sentence ?? '',
    chips: chipsOf(events, groups),
    sections: sectionsOf(shown, { ...options, withAccount: account === null }),
    more: hidden === 0 ? '' : `And ${counted(hidden, 'more event')}, counted above: see shipbell events list.`,
  }
}

function chipsOf(events: readonly RenderedEvent[], groups: readonly EventGroup[]): MailView['chips'] {
  const due = groups.filter((group) => group.due !== null).length
  const tones: readonly Tone[] = ['critical', 'warning', 'good', 'neutral']
  const byTone = tones.map((tone) => ({ tone, amount: events.filter(({ message }) => message.tone === tone).length }))
  const shown = byTone.filter(({ amount }) => amount > 0)
  return [
    ...(due === 0 ? [] : [{ tone: 'warning' as const, label: `${due} falling due` }]),
    ...shown.map(({ tone, amount }) => ({ tone, label: `${amount} ${chipName(tone, amount)}` })),
  ]
}

function chipName(tone: Tone, amount: number): string {
  if (tone === 'warning') return amount === 1 ? 'warning' : 'warnings'
  return TONE_NAMES[tone].toLowerCase()
}

function sectionsOf(
  groups: readonly EventGroup[],
  options: ViewOptions & { readonly withAccount: boolean },
): readonly Section[] {
  const bySection = Map.groupBy(groups, ({ due, tone }) => (due === null ? SECTION_NAMES[tone] : 'Falls due'))
  return [...bySection].map(([title, members]) => ({
    title,
    groups: members.map((group) => viewOfGroup(group, options)),
  }))
}

function viewOfGroup(
  { events, tone }: EventGroup,
  { timeZone, withAccount }: { readonly timeZone: string; readonly withAccount: boolean },
): Group {
  const [{ event }] = events
  const namesShipment = NAME_THE_SHIPMENT.has(event.subject.resource)
  const isSaid = (label: string): boolean =>
    (label === 'Shipment' && namesShipment) || (label === 'Account' && !withAccount)
  const { facts } = (events.at(-1) ?? events[0]).message
  return {
    tone,
    items: events.map((rendered) => ({
      tone: rendered.message.tone,
      sentence: rendered.message.sentence,
      when: whenOf(rendered, timeZone),
      links: rendered.message.links ?? [],
    })),
    facts: facts.filter(({ label }) => label === null || (AMONG_MANY.has(label) && !isSaid(label))),
    links: [],
  }
}

function whenOf({ event }: RenderedEvent, timeZone: string): string {
  return localTime(event.timestamp, timeZone)
}

/** The first groups with so many events together, the last of them cut where it passes that. */
function firstOf(groups: readonly EventGroup[], most: number): readonly EventGroup[] {
  const shown: EventGroup[] = []
  let left = most
  for (const group of groups) {
    if (left <= 0) break
    const [first, ...rest] = group.events
    shown.push({ ...group, events: [first, ...rest.slice(0, left - 1)] })
    left -= group.events.length
  }
  return shown
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Sat 21 Nov` */
export function localDay(instant: number, timeZone: string): string {
  const { dayOfWeek, day, month } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
  return `${DAYS[dayOfWeek - 1]} ${day} ${MONTHS[month - 1]}`
}

/** `Sat 21 Nov, 08:00` */
function localTime(instant: number, timeZone: string): string {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
  return `${localDay(instant, timeZone)}, ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`
}
