import type { Wording } from '../../../message/wording/wording.ts'
import { hash } from 'node:crypto'
import type { Severity } from '../../../model/severity.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import type { Labelled } from '../chat/event-lines.ts'
import { asEntities, asItIs, escapedWithin, inertText } from '../chat/inert-text.ts'
import { TONE_COLORS } from '../chat/tones.ts'

/**
 * What is used here of Google Chat's cards (developers.google.com/workspace/chat/api/reference/rest/v1/cards). Texts are HTML.
 */
interface TextParagraph {
  readonly textParagraph: { readonly text: string }
}

interface Button {
  readonly text: string
  readonly onClick: { readonly openLink: { readonly url: string } }
}

interface ButtonList {
  readonly buttonList: { readonly buttons: readonly Button[] }
}

type ChatWidget = TextParagraph | ButtonList

interface Section {
  readonly widgets: readonly ChatWidget[]
}

/** What is posted to the webhook of a space. */
export interface GoogleChatMessage {
  /** Notifications, and where cards are not shown. */
  readonly fallbackText: string
  readonly cardsV2: readonly [{ readonly cardId: string; readonly card: { readonly sections: readonly Section[] } }]
  readonly thread?: Thread
}

interface Thread {
  readonly threadKey: string
}

/** All limits together stay below the 32,000 bytes that a message may have. */
const MOST_SENTENCE = 1_500
const MOST_LINE = 600
const MOST_LABEL = 50
const MOST_VALUE = 1_000
const MOST_FALLBACK = 300

interface CardParts {
  readonly cardId: string
  readonly sections: readonly (readonly ChatWidget[])[]
}

export function googleChatMessage(fallback: string, { cardId, sections }: CardParts): GoogleChatMessage {
  const filled = sections.filter(({ length }) => length > 0).map((widgets) => ({ widgets }))
  return { fallbackText: plain(fallback), cardsV2: [{ cardId, card: { sections: filled } }] }
}

/** `<users/all>` would mention everybody wherever this is read as a message. */
function plain(text: string): string {
  return escapedWithin(inertText(text).replaceAll('<', '‹').replaceAll('>', '›'), MOST_FALLBACK, asItIs)
}

/** A sentence behind a dot in the colour of its tone. */
export function told(tone: Severity, text: string): TextParagraph {
  const shown = escapedWithin(inertText(text), MOST_SENTENCE, asEntities)
  return paragraph(`${dot(tone)} <b>${shown}</b>`)
}

export function headline(text: string): TextParagraph {
  return paragraph(`<b>${escapedWithin(inertText(text), MOST_LINE, asEntities)}</b>`)
}

/** One of several lines of a paragraph. */
export function lineOf(text: string): string {
  return escapedWithin(inertText(text), MOST_LINE, asEntities)
}

/** A line behind a dot in the colour of its tone. */
export function dottedLine(tone: Severity, text: string): string {
  return `${dot(tone)} ${lineOf(text)}`
}

/** Lines of `lineOf`; nothing where there are none. */
export function listOf(lines: readonly string[]): readonly TextParagraph[] {
  return lines.length === 0 ? [] : [paragraph(lines.join('<br>'))]
}

export function foot(text: string): TextParagraph {
  return paragraph(grey(lineOf(text)))
}

/** `label` is ours, `value` anybody's. */
export function factLine({ label, value }: Labelled, { terms }: Wording): string {
  const shown = escapedWithin(inertText(value), MOST_VALUE, asEntities)
  return `${grey(escapedWithin(inertText(label), MOST_LABEL, asEntities))}${terms.colon}${shown}`
}

export function linkButtons(links: readonly EventLink[]): readonly ButtonList[] {
  const buttons = links.map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } }))
  return buttons.length === 0 ? [] : [{ buttonList: { buttons } }]
}

function paragraph(text: string): TextParagraph {
  return { textParagraph: { text } }
}

function grey(html: string): string {
  return `<font color="${TONE_COLORS.neutral}">${html}</font>`
}

function dot(tone: Severity): string {
  return `<font color="${TONE_COLORS[tone]}">●</font>`
}

/** One thread for a shipment and all that is about it, else for a record: what is known of it stands together. */
export function threadOf({ account, shipment, subject }: ShipbellEvent): Thread {
  const [resource, id] = shipment === null ? [subject.resource, subject.id] : ['shipment', shipment.id]
  return { threadKey: `shipbell-${hash('sha256', JSON.stringify([account, resource, id]))}` }
}

/** Without this option a thread that a message names is ignored. */
const OPTION = 'messageReplyOption'

/** The URL of a webhook, asked to keep to the threads of messages unless it says something of threads itself. */
export function threaded(url: string): string {
  const { searchParams } = new URL(url)
  if (searchParams.has(OPTION) || searchParams.has('threadKey')) return url
  return `${url}${searchParams.size === 0 ? '?' : '&'}${OPTION}=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`
}
