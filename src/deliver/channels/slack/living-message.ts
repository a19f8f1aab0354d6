import { exceptionState, type KeptException } from '../../../model/exception.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import { ACKNOWLEDGE_ACTION, BLOCK_OF, type LivingPlace } from '../../../model/living-message.ts'
import { entryText, saidEntry, type SaidEntry } from '../../../message/net/entry-words.ts'
import { netEntries } from '../../../message/net/net-entries.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import { filled, type Wording } from '../../../message/wording/wording.ts'
import { sizeOf } from '../chat/inert-text.ts'
import { TONE_COLORS, TONES } from '../chat/tones.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { eventMessage } from './event-message.ts'
import {
  actions,
  attachment,
  button,
  context,
  header,
  lineOf,
  linkButton,
  linksBlock,
  listOf,
  message,
  people,
  type SlackBlock,
  type SlackMessage,
} from './slack-message.ts'

export type ManyOfOne = readonly [ShipbellEvent, ...ShipbellEvent[]]

/** What the lines of an entry take at most, so that the whole stays below what Slack takes of all blocks of a message. */
const MOST_LINES = 5_000
/** Slack's most for what a button carries. */
const MOST_VALUE = 2_000

const OPEN_ACTION = 'shipbell_open'

/** Some events of one shipment, oldest first, as one entry: one of them as any message has it, several by what they come to. */
export function entryMessage(events: ManyOfOne, render: RenderMessage): SlackMessage {
  const [first, ...more] = events
  return more.length === 0 ? eventMessage(first, render) : severalMessage(events, render)
}

function severalMessage(events: ManyOfOne, render: RenderMessage): SlackMessage {
  const newest = events.at(-1) ?? events[0]
  const { links = [], seen, wording } = render(newest)
  const said = netEntries(events).map((entry) => saidEntry(entry, wording))
  const name = said.find((entry) => entry.name !== null)?.name ?? newest.shipment?.name ?? newest.subject.id
  const tones = new Set(said.flatMap(({ lines }) => lines.map(({ tone }) => tone)))
  const worst = TONES.find((tone) => tones.has(tone)) ?? 'neutral'
  const foot = [context(`${seen} · ${newest.id}`), ...linksBlock(links)]
  return message(said.map((entry) => entryText(entry, wording)).join(' '), {
    blocks: [header(name), ...listOf(linesWithin(said, wording))],
    attachments: [attachment(TONE_COLORS[worst], name, foot)],
  })
}

/** The lines of what is said, the heaviest first, as many as fit; how many more there are is counted. */
function linesWithin(said: readonly SaidEntry[], wording: Wording): readonly string[] {
  const lines = said.flatMap((entry) => entry.lines.map(({ text }) => lineOf(`• ${text}`)))
  let size = 0
  const beyond = lines.findIndex((line) => {
    size += sizeOf(`${line}\n`)
    return size > MOST_LINES
  })
  if (beyond === -1) return lines
  return [...lines.slice(0, beyond), lineOf(countOf(lines.length - beyond, 'more', wording).trim())]
}

/** What stands below the message of a shipment. */
export interface Standing {
  readonly place: LivingPlace
  /** Open exceptions, acknowledged ones too; null: nobody can acknowledge anything here. */
  readonly exceptions: readonly KeptException[] | null
  readonly now: number
}

/** The message of a shipment: what it was told last, who sees to what is open, and what one can do about it. */
export function livingMessage(events: ManyOfOne, render: RenderMessage, standing: Standing): SlackMessage {
  const entry = entryMessage(events, render)
  if (standing.exceptions === null) return { ...entry, blocks: marked(entry.blocks, standing.place) }
  const newest = render(events.at(-1) ?? events[0])
  const below = [
    ...acknowledgedBlocks(standing.exceptions, standing.now, newest.wording),
    ...buttonsBlock(newest.links ?? [], standing, newest.wording),
  ]
  const blocks = [...entry.blocks, ...below]
  return { ...entry, blocks: below.some(({ type }) => type === 'actions') ? blocks : marked(blocks, standing.place) }
}

/** The first block says whose message it is, where none with buttons does: several subscriptions may post to one channel. */
function marked([first, ...rest]: readonly SlackBlock[], { subscription }: LivingPlace): readonly SlackBlock[] {
  return first === undefined ? [] : [{ ...first, block_id: `${BLOCK_OF}${subscription}` }, ...rest]
}

function acknowledgedBlocks(
  exceptions: readonly KeptException[],
  now: number,
  { terms }: Wording,
): readonly SlackBlock[] {
  const known = exceptions.filter((each) => exceptionState(each, now) === 'acknowledged')
  const who = new Set(known.flatMap(({ acknowledged }) => acknowledged?.by ?? []))
  return who.size === 0 ? [] : [people(filled(terms.buttons.acknowledged, { who: [...who].join(', ') }))]
}

function buttonsBlock(
  links: readonly EventLink[],
  { exceptions, now, place }: Standing,
  { terms }: Wording,
): readonly SlackBlock[] {
  const isOpen = exceptions?.some((each) => exceptionState(each, now) === 'open') === true
  const value = JSON.stringify(place)
  const desk = links.find(({ to }) => to === 'desk')
  const buttons = [
    ...(isOpen && value.length <= MOST_VALUE ? [button(terms.buttons.acknowledge, ACKNOWLEDGE_ACTION, value)] : []),
    ...(desk === undefined ? [] : [linkButton(terms.buttons.open, OPEN_ACTION, desk.url)]),
  ]
  return buttons.length === 0 ? [] : [actions(place.subscription, buttons)]
}
