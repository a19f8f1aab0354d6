import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import { ShipbellError } from '../../../errors.ts'
import { cut } from '../../../message/words/short.ts'
import type { Delivery } from '../../../model/delivery.ts'
import type { MessagePreview } from '../../admin-context.ts'
import { visible } from '../../../printable.ts'
import { valueOf } from '../parts/address.ts'
import { textBlock, textDetails } from '../parts/json-block.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { sentence } from '../parts/text.ts'
import type { View } from '../show-page.ts'

const NAMES: Readonly<Record<string, string>> = {
  'text/plain': 'As people read it',
  'application/json': 'As it goes over the wire',
  'text/html': 'Its page, as markup',
}

/** What a subscription is sent for an event: for the one that is asked for, or for the newest that it got. */
export async function previewPanel(name: string, newest: readonly Delivery[], view: View): Promise<Preview> {
  const { address } = view
  const asked = valueOf(address, 'event')
  const id = asked ?? newest.find(({ payloadExpiredAt }) => payloadExpiredAt === null)?.eventId ?? null
  const { framed, sent } = id === null ? nothingSent() : await shown(name, id, view)
  const body = panel({
    id: 'preview',
    title: 'What it is sent',
    body: html`<form class="filters" method="get" action="${address.path}#preview">
        <div class="field grow">
          <label for="preview-event">${say('Event')}</label>
          <input
            id="preview-event"
            type="text"
            name="event"
            value="${id ?? ''}"
            placeholder="evt_…"
            required
            autocomplete="off"
          />
        </div>
        <button type="submit">${say('Preview')}</button>
      </form>
      ${sent}`,
  })
  return { body, framed }
}

export interface Preview {
  readonly body: Html
  /** The mail that the panel shows in a frame; null: none. */
  readonly framed: string | null
}

function nothingSent() {
  return { sent: html`<p class="dim">${say('It was sent nothing yet: give the id of an event.')}</p>`, framed: null }
}

async function shown(
  name: string,
  id: string,
  { desk }: View,
): Promise<{ readonly sent: Html; readonly framed: string | null }> {
  try {
    const [named = id] = await desk.store.eventsNamed(id, { limit: 1 })
    const previews = distinct(await desk.reports.preview(name, named))
    const mail = previews.find(({ mediaType }) => mediaType === 'text/html')?.text ?? null
    const [first, ...others] = previews
    if (first === undefined)
      return { sent: html`<p class="dim">${say('It is sent nothing for this event.')}</p>`, framed: null }
    const behind = (mail === null ? others : previews).map(({ mediaType, text }) =>
      textDetails(say(NAMES[mediaType] ?? mediaType), text),
    )
    const sent = html`<h3>
        ${say(mail === null ? (NAMES[first.mediaType] ?? first.mediaType) : 'As the mail will look')}
      </h3>
      ${mail === null ? asRead(first) : framedMail(mail)} ${behind}`
    return { sent, framed: mail }
  } catch (error) {
    if (error instanceof ShipbellError && (error.code === 'not_found' || error.code === 'wrong_state'))
      return { sent: html`<p class="remedy">${sentence(error.message)}</p>`, framed: null }
    throw error
  }
}

/** Nothing in the frame runs, leads away or loads anything. */
function framedMail(mail: string): Html {
  return html`<iframe class="mail" sandbox title="${say('The mail')}" srcdoc="${mail}"></iframe>`
}

/** What people read as a card of a chat, what programs read as it is. */
function asRead({ mediaType, text }: MessagePreview): Html {
  if (mediaType !== 'text/plain') return textBlock(text)
  return html`<p class="card"><bdi>${visible(cut(text, LONGEST))}</bdi></p>`
}

const LONGEST = 20_000

/** A webhook has no text for people beside what goes over the wire: the same stands once, under the latter's name. */
function distinct(previews: readonly MessagePreview[]): readonly MessagePreview[] {
  return previews.filter(({ text }, nth) => previews.findLastIndex((each) => each.text === text) === nth)
}
