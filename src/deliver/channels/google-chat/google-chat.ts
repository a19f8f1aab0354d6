import type { ShipbellEvent } from '../../../model/event.ts'
import type { GoogleChatChannel } from '../../../model/subscription.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { burstOf } from '../chat/burst.ts'
import type { ManyEvents } from '../told-entries.ts'
import { chatKind } from '../chat/chat-kind.ts'
import { aboutLine, factsWithin, newsOf } from '../chat/event-lines.ts'
import { sizeOf } from '../chat/inert-text.ts'
import type { RenderMessage } from '../message-renderer.ts'
import {
  dottedLine,
  factLine,
  foot,
  googleChatMessage,
  headline,
  lineOf,
  linkButtons,
  listOf,
  threaded,
  threadOf,
  told,
  type GoogleChatMessage,
} from './google-chat-message.ts'

/** Cards to the webhook of a space. */
export const GOOGLE_CHAT: ChannelKindOf<GoogleChatChannel> = chatKind({ eventMessage, burstMessage, target: threaded })

const MOST_FACTS = 7_000
const MOST_LINES = 18_000

/** One event, in the thread of its shipment: its sentence behind a dot in the colour of its tone, then what it is about. */
function eventMessage(event: ShipbellEvent, render: RenderMessage): GoogleChatMessage {
  const rendered = render(event)
  const { labelled, lines } = factsWithin(rendered.facts, MOST_FACTS)
  const facts = listOf([...labelled.map((fact) => factLine(fact, rendered.wording)), ...lines.map(lineOf)])
  const ending = [foot(aboutLine(rendered, event)), ...linkButtons(rendered.links ?? [])]
  const message = googleChatMessage(newsOf(rendered), {
    cardId: event.id,
    sections: [[told(rendered.tone, rendered.sentence)], facts, ending],
  })
  return { ...message, thread: threadOf(event) }
}

/** Many events: how many of which, then their sentences, the worst first, as many as fit. */
function burstMessage(events: ManyEvents, render: RenderMessage): GoogleChatMessage {
  const burst = burstOf(events, {
    render,
    line: (sentence, tone) => dottedLine(tone, sentence),
    size: (line) => sizeOf(`${line}<br>`),
    most: MOST_LINES,
  })
  const message = googleChatMessage([burst.headline, ...burst.counts].join(' · '), {
    cardId: events[0].id,
    sections: [
      [headline(burst.headline), ...listOf(burst.counts.map(lineOf))],
      burst.told.flatMap(({ lines }) => listOf(lines)),
      [foot(burst.foot), ...linkButtons(burst.links)],
    ],
  })
  // What is about one shipment belongs into its thread.
  return burst.counts.length === 0 ? { ...message, thread: threadOf(events[0]) } : message
}
