import type { ShipbellEvent } from '../../../model/event.ts'
import type { TeamsChannel } from '../../../model/subscription.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import { burstOf } from '../chat/burst.ts'
import type { ManyEvents } from '../told-entries.ts'
import { chatKind } from '../chat/chat-kind.ts'
import { aboutLine, factsWithin, newsOf } from '../chat/event-lines.ts'
import { sizeOf } from '../chat/inert-text.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { factSet, foot, headline, line, teamsMessage, tinted, told, type TeamsMessage } from './teams-message.ts'

/** Adaptive Cards to the webhook of a workflow. */
export const TEAMS: ChannelKindOf<TeamsChannel> = chatKind({ eventMessage, burstMessage })

const MOST_FACTS = 6_000
const MOST_LINES = 13_000

/** One event: its sentence on a ground of its tone, then what it is about. */
function eventMessage(event: ShipbellEvent, render: RenderMessage): TeamsMessage {
  const rendered = render(event)
  const { labelled, lines } = factsWithin(rendered.facts, MOST_FACTS)
  const body = [
    tinted(rendered.tone, [told(rendered.sentence)]),
    ...factSet(labelled),
    ...lines.map(line),
    foot(aboutLine(rendered, event)),
  ]
  return teamsMessage(newsOf(rendered), { body, links: rendered.links ?? [] })
}

/** Many events: how many of which, then their sentences on grounds of their tones, as many as fit. */
function burstMessage(events: ManyEvents, render: RenderMessage): TeamsMessage {
  const burst = burstOf(events, {
    render,
    line: (sentence) => sentence,
    size: (sentence) => sizeOf(JSON.stringify(line(sentence))),
    most: MOST_LINES,
  })
  const body = [
    headline(burst.headline),
    ...burst.counts.map(line),
    ...burst.told.map(({ tone, lines }) => tinted(tone, lines.map(line))),
    foot(burst.foot),
  ]
  return teamsMessage([burst.headline, ...burst.counts].join(' · '), { body, links: burst.links })
}
