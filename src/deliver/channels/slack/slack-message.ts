import type { EventLink } from '../../../model/event-link.ts'
import { BLOCK_OF } from '../../../model/living-message.ts'
import { asEntities, escapedWithin, inertText, sizeOf } from '../chat/inert-text.ts'

/** What is used here of Block Kit. Every value is plain text, so that nothing in it is linked, mentioned or formatted. */
interface PlainText {
  readonly type: 'plain_text'
  readonly text: string
  /** `:name:` stays as it is. */
  readonly emoji: false
}

/** A word of our own in bold, or linked. */
interface Label {
  readonly type: 'mrkdwn'
  readonly text: string
  readonly verbatim: true
}

export type SlackBlock = Block & { readonly block_id?: string }

type Block =
  | { readonly type: 'header'; readonly text: PlainText }
  | { readonly type: 'section'; readonly text: PlainText }
  | { readonly type: 'section'; readonly fields: readonly (PlainText | Label)[] }
  | { readonly type: 'context'; readonly elements: readonly (PlainText | Label)[] }
  | { readonly type: 'actions'; readonly elements: readonly Button[] }

/** What is pressed: with a URL it also opens that. */
interface Button {
  readonly type: 'button'
  readonly text: PlainText
  readonly action_id: string
  readonly value?: string
  readonly url?: string
}

/** Blocks with a bar of a colour beside them: Slack has colours for attachments alone. */
interface SlackAttachment {
  readonly color: string
  /** What is read where blocks are not shown. */
  readonly fallback: string
  readonly blocks: readonly SlackBlock[]
}

/** What is posted to an incoming webhook. */
export interface SlackMessage {
  /** What notifications say; where blocks are shown it is not. */
  readonly text: string
  readonly mrkdwn: false
  readonly unfurl_links: false
  readonly unfurl_media: false
  readonly blocks: readonly SlackBlock[]
  readonly attachments: readonly SlackAttachment[]
}

/** Below Slack's 150 for a header, 3,000 for a section, 2,000 for a field and 40,000 for a text. */
const MOST_HEADER = 150
const MOST_SECTION = 2_900
const MOST_LINE = 600
const MOST_SENTENCE = 1_500
const MOST_CONTEXT = 600
const MOST_LABEL = 50
const MOST_FIELD = 1_000
const MOST_TEXT = 800
const MOST_FALLBACK = 300

export function header(text: string): SlackBlock {
  return { type: 'header', text: plain(inertText(text), MOST_HEADER) }
}

export function sentence(text: string): SlackBlock {
  return { type: 'section', text: plain(inertText(text), MOST_SENTENCE) }
}

/** A line of a list, escaped, and no longer than Slack's patience. */
export function lineOf(text: string): string {
  return escapedWithin(inertText(text), MOST_LINE, asEntities)
}

/** Lines of `lineOf` in as many sections as it takes. */
export function listOf(lines: readonly string[]): readonly SlackBlock[] {
  const texts: string[] = []
  for (const line of lines) {
    const joined = texts.length === 0 ? line : `${texts.at(-1) ?? ''}\n${line}`
    if (texts.length > 0 && sizeOf(joined) <= MOST_SECTION) texts.splice(-1, 1, joined)
    else texts.push(line)
  }
  return texts.map((text) => ({ type: 'section', text: { type: 'plain_text', text, emoji: false } }))
}

export function context(text: string): SlackBlock {
  return { type: 'context', elements: [plain(inertText(text), MOST_CONTEXT)] }
}

export function actions(subscription: string, elements: readonly Button[]): SlackBlock {
  return { type: 'actions', block_id: `${BLOCK_OF}${subscription}`, elements }
}

export function button(text: string, action: string, value: string): Button {
  return { type: 'button', text: plain(text, MOST_LABEL), action_id: action, value }
}

export function linkButton(text: string, action: string, url: string): Button {
  return { type: 'button', text: plain(text, MOST_LABEL), action_id: action, url }
}

/** A line in which `slack:U0123` is shown as the person's name. */
export function people(text: string): SlackBlock {
  const escaped = escapedWithin(inertText(text), MOST_CONTEXT, asEntities)
  const named = escaped.replaceAll(/\bslack:([UW][A-Z0-9]+)\b/g, (_, id: string) => `<@${id}>`)
  return { type: 'context', elements: [{ type: 'mrkdwn', text: named, verbatim: true }] }
}

/** Links, of which words and addresses are ours or the operator's; nothing where there are none. */
export function linksBlock(links: readonly EventLink[]): readonly SlackBlock[] {
  const [first, ...rest] = links.map(linkElement)
  return first === undefined ? [] : [{ type: 'context', elements: [first, ...rest] }]
}

/** Within an address `|` and `>` would end it; percent-encoded they mean the same. */
function linkElement({ label, url }: EventLink): Label {
  const address = url.replaceAll(/[|<>]/g, (character) => encodeURIComponent(character)).replaceAll('&', '&amp;')
  return { type: 'mrkdwn', text: `<${address}|${escapedWithin(label, MOST_LABEL, asEntities)}>`, verbatim: true }
}

/** A line of two columns: `label` is ours, `value` anybody's. */
export function row(label: string, value: string): readonly (PlainText | Label)[] {
  const bold = { type: 'mrkdwn', text: `*${escapedWithin(label, MOST_LABEL, asEntities)}*`, verbatim: true } as const
  return [bold, plain(inertText(value), MOST_FIELD)]
}

export function attachment(color: string, fallback: string, blocks: readonly SlackBlock[]): SlackAttachment {
  return { color, fallback: escapedWithin(inertText(fallback), MOST_FALLBACK, asEntities), blocks }
}

export function message(
  text: string,
  { blocks, attachments }: Pick<SlackMessage, 'blocks' | 'attachments'>,
): SlackMessage {
  const notification = escapedWithin(inertText(text), MOST_TEXT, asEntities)
  return { text: notification, mrkdwn: false, unfurl_links: false, unfurl_media: false, blocks, attachments }
}

function plain(text: string, most: number): PlainText {
  return { type: 'plain_text', text: escapedWithin(text, most, asEntities), emoji: false }
}
