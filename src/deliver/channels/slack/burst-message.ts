import { countOf } from '../../../message/wording/numbers.ts'
import { burstOf } from '../chat/burst.ts'
import type { ManyEvents } from '../told-entries.ts'
import { sizeOf } from '../chat/inert-text.ts'
import { TONE_COLORS } from '../chat/tones.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { attachment, context, header, lineOf, linksBlock, listOf, message, type SlackMessage } from './slack-message.ts'

/** The most characters of all lines together, so that the whole stays below what Slack takes of all blocks of a message. */
const MOST_LINES = 6_000

/**
 * Many events of one account and kind of record: how many of which, then their sentences by tone, the worst first, and in it
 * the dates that moved farthest; as many as fit.
 */
export function burstMessage(events: ManyEvents, render: RenderMessage): SlackMessage {
  const { headline, counts, told, foot, links, wording } = burstOf(events, {
    render,
    line: (sentence) => lineOf(`• ${sentence}`),
    size: (line) => sizeOf(`${line}\n`),
    most: MOST_LINES,
  })
  // Lines of one shipment are not counted.
  const bars = told.map(({ tone, lines }) =>
    attachment(TONE_COLORS[tone], counts.length === 0 ? headline : countOf(lines.length, tone, wording), listOf(lines)),
  )
  return message([headline, ...counts].join(' · '), {
    blocks: [header(headline), ...listOf(counts.map(lineOf))],
    attachments: [...bars, attachment(TONE_COLORS.neutral, headline, [context(foot), ...linksBlock(links)])],
  })
}
