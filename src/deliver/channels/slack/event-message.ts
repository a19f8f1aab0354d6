import type { Fact } from '../../../message/facts/fact.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { newsOf } from '../chat/event-lines.ts'
import { sizeOf } from '../chat/inert-text.ts'
import { TONE_COLORS } from '../chat/tones.ts'
import {
  attachment,
  context,
  lineOf,
  linksBlock,
  listOf,
  message,
  row,
  sentence,
  type SlackBlock,
  type SlackMessage,
} from './slack-message.ts'

/** A section takes 10 fields. */
const FACTS_PER_SECTION = 5
/** The most characters of the JSON of all facts, so that the whole stays below what Slack takes of all blocks of a message. */
const MOST_FACTS = 5_000

/** One event, as `render` says it: its sentence, and beside a bar in the colour of its tone what it is about, when it was seen and its id. */
export function eventMessage(event: ShipbellEvent, render: RenderMessage): SlackMessage {
  const rendered = render(event)
  const seen = `${rendered.type} · ${rendered.seen} · ${event.id}`
  const about = attachment(TONE_COLORS[rendered.tone], rendered.type, [
    ...factBlocks(rendered.facts),
    context(seen),
    ...linksBlock(rendered.links ?? []),
  ])
  return message(newsOf(rendered), { blocks: [sentence(rendered.sentence)], attachments: [about] })
}

function factBlocks(facts: readonly Fact[]): readonly SlackBlock[] {
  const rows: ReturnType<typeof row>[] = []
  const lines: string[] = []
  let size = 0
  for (const { label, value } of facts) {
    const next = label === null ? lineOf(value) : row(label, value)
    size += sizeOf(JSON.stringify(next))
    if (size > MOST_FACTS) continue
    if (typeof next === 'string') lines.push(next)
    else rows.push(next)
  }
  const starts = rows.map((_, index) => index).filter((index) => index % FACTS_PER_SECTION === 0)
  const sections = starts.map((from): SlackBlock => {
    return { type: 'section', fields: rows.slice(from, from + FACTS_PER_SECTION).flat() }
  })
  return [...sections, ...listOf(lines)]
}
