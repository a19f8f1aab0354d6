import { html } from 'hono/html'
import { asStarted } from '../../../invocation.ts'
import { sentenceOf, toneOf } from '../../../message/message.ts'
import { cut } from '../../../message/words/short.ts'
import type { LoggedEvent } from '../../../model/event.ts'
import { isRecordResource } from '../../../model/resource.ts'
import { fullPayload } from '../../../model/payload.ts'
import { visible } from '../../../printable.ts'
import { retold } from '../languages/retold.ts'
import { say } from '../languages/say.ts'
import { eventPath } from './address.ts'
import { badge } from './badge.ts'
import type { Html } from './markup.ts'
import { saidOnce } from './said-once.ts'
import { sentence, spoken } from './text.ts'
import { ago, wording } from './time.ts'

/** What happened, in one sentence that leads to the event. */
export function eventSentence(event: LoggedEvent): Html {
  return html`<a href="${eventPath(event.id)}">${happened(event)}</a>`
}

/** What happened. What is about Shipbell itself names commands, and instants as logs have them. */
export function happened(event: LoggedEvent): Html {
  const said = sentenceOnce(event)
  return isRecordResource(event.subject.resource) ? spoken(said, LONGEST) : sentence(cut(said, LONGEST))
}

const LONGEST = 300

const sentenceOnce = saidOnce((event: LoggedEvent) =>
  event.expiredAt === null
    ? asStarted(sentenceOf(fullPayload(inOneLanguage(event)), wording()))
    : `${event.type}: ${event.subject.id}.`,
)

/** What is about Shipbell, with the reason that was given in English in the language of whoever looks. */
function inOneLanguage(event: LoggedEvent): LoggedEvent {
  const { extras, subject } = event
  const reason = extras['reason']
  if (isRecordResource(subject.resource) || typeof reason !== 'string') return event
  return { ...event, extras: { ...extras, reason: retold(reason) } }
}

/** The type of an event, in the colour of how it sounds. */
export function typeBadge(event: LoggedEvent): Html {
  return badge(event.type, event.expiredAt === null ? toneOf(fullPayload(event)) : 'dim')
}

/** Causes that go without saying. */
const ORDINARY: ReadonlySet<string> = new Set(['change', 'calendar', 'derived'])

/** Whether an event is told because something became so: it is no test, reminder or snapshot. */
export function isOrdinary({ cause }: Pick<LoggedEvent, 'cause'>): boolean {
  return ORDINARY.has(cause)
}

/** One event of a list: what happened, when, of which type, and what was `more`. */
export function eventItem(
  event: LoggedEvent,
  { anchor = null, more, now }: { readonly anchor?: string | null; readonly more: Html | null; readonly now: number },
): Html {
  return html`<li ${anchor === null ? null : html`id="${anchor}"`} data-row data-key="${visible(event.id)}">
    <p class="said">${eventSentence(event)}</p>
    <p class="small row">
      <span class="dim">${ago(event.timestamp, now)}</span> ${typeBadge(event)}
      <span class="dim">#${event.sequence}</span>
      ${isOrdinary(event) ? null : badge(event.cause, 'warning')}
      ${event.expiredAt === null ? null : html`<span class="dim">${say('its content has expired')}</span>`}
    </p>
    ${more}
  </li>`
}
