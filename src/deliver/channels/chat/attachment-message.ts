import type { Severity } from '../../../model/severity.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { burstOf } from './burst.ts'
import type { ManyEvents } from '../told-entries.ts'
import { aboutLine, factsWithin, type Labelled } from './event-lines.ts'
import { asItIs, escapedWithin, inertText, sizeOf, type Escape } from './inert-text.ts'
import { TONE_COLORS } from './tones.ts'

interface Attachment {
  readonly color: string
  /** What is read where attachments are not shown. */
  readonly fallback: string
  /** Plain; all other texts are Markdown. */
  readonly title?: string
  readonly title_link?: string
  readonly text?: string
  readonly fields?: readonly Field[]
}

interface Field {
  readonly title: string
  readonly value: string
  /** Whether two fields stand beside each other. */
  readonly short: boolean
}

/** What Mattermost and Rocket.Chat take: Slack's older attachments. */
interface AttachmentMessage {
  readonly text: string
  readonly attachments: readonly Attachment[]
}

/**
 * The longest sentence: of a text Mattermost takes 4,000 and Rocket.Chat 5,000 characters, of all attachments old servers
 * 7,900.
 */
const MOST_SENTENCE = 1_500
const MOST_LINE = 600
const MOST_LABEL = 50
const MOST_VALUE = 600
const MOST_FALLBACK = 300
const MOST_FACTS = 3_000
const MOST_LINES = 4_500
/** Longer values have a line of their own. */
const SHORT = 40

/** Messages in a server's own Markdown: `escape` takes what a text of a record would mean there from it. */
interface AttachmentMessages {
  readonly eventMessage: (event: ShipbellEvent, render: RenderMessage) => AttachmentMessage
  readonly burstMessage: (events: ManyEvents, render: RenderMessage) => AttachmentMessage
}

export function attachmentMessages(escape: Escape): AttachmentMessages {
  const shown = (text: string, most: number): string => escapedWithin(inertText(text), most, escape)
  const field = ({ label, value }: Labelled): Field => ({
    title: shown(label, MOST_LABEL),
    value: shown(value, MOST_VALUE),
    short: value.length <= SHORT,
  })
  const attachment = (tone: Severity, fallback: string, parts: Omit<Attachment, 'color' | 'fallback'>): Attachment => ({
    color: TONE_COLORS[tone],
    fallback: shown(fallback, MOST_FALLBACK),
    ...parts,
  })

  return {
    eventMessage: (event, render) => {
      const rendered = render(event)
      const { labelled, lines } = factsWithin(rendered.facts, MOST_FACTS)
      const { links = [] } = rendered
      const text = [...lines, aboutLine(rendered, event)].map((line) => shown(line, MOST_LINE))
      const about = attachment(rendered.tone, rendered.title, {
        ...titleOf(rendered.title, links),
        text: [...text, ...linksLine(links)].join('\n'),
        fields: labelled.map(field),
      })
      return { text: shown(rendered.sentence, MOST_SENTENCE), attachments: [about] }
    },
    burstMessage: (events, render) => {
      const burst = burstOf(events, {
        render,
        line: (sentence) => shown(`• ${sentence}`, MOST_LINE),
        size: (line) => sizeOf(`${line}\n`),
        most: MOST_LINES,
      })
      const counts = burst.counts.map((count) => `• ${count}`)
      return {
        text: [burst.headline, ...counts].map((line) => shown(line, MOST_LINE)).join('\n'),
        attachments: [
          ...burst.told.map(({ tone, lines }) =>
            attachment(tone, burst.counts.length === 0 ? burst.headline : countOf(lines.length, tone, burst.wording), {
              text: lines.join('\n'),
            }),
          ),
          attachment('neutral', burst.headline, {
            text: [shown(burst.foot, MOST_LINE), ...linksLine(burst.links)].join('\n'),
          }),
        ],
      }
    },
  }
}

function titleOf(news: string, [first]: readonly EventLink[]): Pick<Attachment, 'title' | 'title_link'> {
  const title = escapedWithin(inertText(news), MOST_FALLBACK, asItIs)
  return first === undefined ? { title } : { title, title_link: first.url }
}

/** Words and addresses are ours or the operator's; within an address brackets would end it, percent-encoded they mean the same. */
function linksLine(links: readonly EventLink[]): readonly string[] {
  const shown = links.map(({ label, url }) => {
    const address = url.replaceAll(/[()<>|]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    return `[${label}](${address})`
  })
  return shown.length === 0 ? [] : [shown.join(' · ')]
}
