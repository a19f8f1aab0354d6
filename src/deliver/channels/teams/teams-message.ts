import type { Severity } from '../../../model/severity.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { Labelled } from '../chat/event-lines.ts'
import { escapedWithin, inertText, type Escape } from '../chat/inert-text.ts'

/** What is used here of Adaptive Cards (adaptivecards.io/explorer). */
interface TextRun {
  readonly type: 'TextRun'
  readonly text: string
  readonly weight?: 'bolder'
  readonly size?: 'small' | 'medium'
  readonly isSubtle?: true
}

/** Unlike a `TextBlock` it shows its text as it is: nothing in it is formatted or linked. */
interface RichTextBlock {
  readonly type: 'RichTextBlock'
  readonly spacing?: 'small'
  readonly inlines: readonly TextRun[]
}

interface FactSet {
  readonly type: 'FactSet'
  readonly facts: readonly { readonly title: string; readonly value: string }[]
}

interface Container {
  readonly type: 'Container'
  readonly style: ContainerStyle
  readonly items: readonly RichTextBlock[]
}

type ContainerStyle = 'attention' | 'warning' | 'good' | 'emphasis'

export type TeamsElement = RichTextBlock | FactSet | Container

interface OpenUrl {
  readonly type: 'Action.OpenUrl'
  readonly title: string
  readonly url: string
}

interface AdaptiveCard {
  readonly $schema: 'http://adaptivecards.io/schemas/adaptive-card.json'
  readonly type: 'AdaptiveCard'
  readonly version: '1.4'
  readonly fallbackText: string
  readonly body: readonly TeamsElement[]
  readonly actions?: readonly OpenUrl[]
}

/** What is posted to the webhook of a workflow. */
export interface TeamsMessage {
  readonly type: 'message'
  readonly attachments: readonly [
    {
      readonly contentType: 'application/vnd.microsoft.card.adaptive'
      readonly contentUrl: null
      readonly content: AdaptiveCard
    },
  ]
}

/** Teams takes 28 kB of a message and refuses some from 21 kB on. All limits together stay below 20,000. */
const MOST_SENTENCE = 1_500
const MOST_LINE = 600
const MOST_LABEL = 50
const MOST_VALUE = 1_000
const MOST_FALLBACK = 300

export function teamsMessage(
  fallback: string,
  { body, links }: { readonly body: readonly TeamsElement[]; readonly links: readonly EventLink[] },
): TeamsMessage {
  const actions = links.map(openUrl)
  const content: AdaptiveCard = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: escapedWithin(inertText(fallback), MOST_FALLBACK, asFactText),
    body,
    ...(actions.length === 0 ? {} : { actions }),
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

function openUrl({ label, url }: EventLink): OpenUrl {
  return { type: 'Action.OpenUrl', title: label, url }
}

const STYLES: Readonly<Record<Severity, ContainerStyle>> = {
  critical: 'attention',
  warning: 'warning',
  neutral: 'emphasis',
  good: 'good',
}

/** On a ground of the tone's colour. */
export function tinted(tone: Severity, items: readonly RichTextBlock[]): Container {
  return { type: 'Container', style: STYLES[tone], items }
}

export function headline(text: string): RichTextBlock {
  const shown = escapedWithin(inertText(text), MOST_SENTENCE, asRunText)
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: shown, weight: 'bolder', size: 'medium' }] }
}

/** What is told: one line, wrapped as it needs. */
export function told(text: string): RichTextBlock {
  const shown = escapedWithin(inertText(text), MOST_SENTENCE, asRunText)
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: shown, weight: 'bolder' }] }
}

export function line(text: string): RichTextBlock {
  const shown = escapedWithin(inertText(text), MOST_LINE, asRunText)
  return { type: 'RichTextBlock', spacing: 'small', inlines: [{ type: 'TextRun', text: shown }] }
}

export function foot(text: string): RichTextBlock {
  const shown = escapedWithin(inertText(text), MOST_LINE, asRunText)
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: shown, size: 'small', isSubtle: true }] }
}

/** `label` is ours, `value` anybody's. */
export function factSet(facts: readonly Labelled[]): readonly FactSet[] {
  if (facts.length === 0) return []
  const shown = facts.map(({ label, value }) => ({
    title: escapedWithin(inertText(label), MOST_LABEL, asFactText),
    value: escapedWithin(inertText(value), MOST_VALUE, asFactText),
  }))
  return [{ type: 'FactSet', facts: shown }]
}

const WORD = /[\p{L}\p{N}]/u

/** Facts are read as a part of CommonMark: what would be markup there has a backslash before it. */
const asFactText: Escape = (character, place) => {
  const { before, after, isNumbered } = place
  switch (character) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '<':
    case '~':
    case '|':
      return `\\${character}`
    case '_':
      return WORD.test(before) && WORD.test(after) ? character : '\\_'
    case '&':
      return /[a-z#]/i.test(after) ? '\\&' : character
    case '#':
    case '+':
    case '-':
    case '>':
    case '=':
      return before === '' ? `\\${character}` : character
    case '.':
    case ')':
      return isNumbered && (after === ' ' || after === '') ? `\\${character}` : character
    default:
      return asRunText(character, place)
  }
}

/** `{{DATE(…)}}` is a function of Adaptive Cards, which a character that nobody sees takes apart. */
const asRunText: Escape = (character, { after }) => (character === '{' && after === '{' ? '{\u200b' : character)
