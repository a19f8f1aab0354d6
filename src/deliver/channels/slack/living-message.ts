import { exceptionState, type KeptException } from '../../../model/exception.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import { ACKNOWLEDGE_ACTION, type LivingPlace } from '../../../model/living-message.ts'
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

/** What the sentences of an entry take at most, so that the whole stays below what Slack takes of all blocks of a message; older ones are counted. */
const MOST_LINES = 5_000
/** Slack's most for what a button carries. */
const MOST_VALUE = 2_000

const OPEN_ACTION = 'shipbell_open'

/** Some events of one shipment, oldest first, as one entry: one of them as any message has it, several as a list of their sentences. */
export function entryMessage(events: ManyOfOne, render: RenderMessage): SlackMessage {
  const [first, ...more] = events
  return more.length === 0 ? eventMessage(first, render) : severalMessage(events, render)
}

function severalMessage(events: ManyOfOne, render: RenderMessage): SlackMessage {
  const [first] = events
  const newest = events.at(-1) ?? first
  const told = events.map((event) => ({ event, ...render(event) }))
  const worst = TONES.find((tone) => told.some((each) => each.tone === tone)) ?? 'neutral'
  const { links = [], seen, wording } = render(newest)
  const name = newest.shipment?.name ?? newest.shipment?.id ?? newest.subject.id
  const lines = newestWithin(told.map(({ sentence }) => lineOf(`• ${sentence}`)))
  const more = told.length - lines.length
  const rest = more > 0 ? [lineOf(countOf(more, 'more', wording).trim())] : []
  const foot = [context(`${seen} · ${newest.id}`), ...linksBlock(links)]
  return message(`${name}${wording.terms.colon}${told.map(({ sentence }) => sentence).join(' ')}`, {
    blocks: [header(name), ...listOf([...rest, ...lines])],
    attachments: [attachment(TONE_COLORS[worst], name, foot)],
  })
}

/** The last lines, as many as fit. */
function newestWithin(lines: readonly string[]): readonly string[] {
  let size = 0
  const beyond = lines.findLastIndex((line) => {
    size += sizeOf(`${line}\n`)
    return size > MOST_LINES
  })
  return lines.slice(beyond + 1)
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
  if (standing.exceptions === null) return entry
  const newest = render(events.at(-1) ?? events[0])
  const below = [
    ...acknowledgedBlocks(standing.exceptions, standing.now, newest.wording),
    ...buttonsBlock(newest.links ?? [], standing, newest.wording),
  ]
  return { ...entry, blocks: [...entry.blocks, ...below] }
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
