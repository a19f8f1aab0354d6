import { html } from 'hono/html'
import { ShipbellError } from '../../../errors.ts'
import type { Delivery } from '../../../model/delivery.ts'
import type { MessagePreview } from '../../admin-context.ts'
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
export async function previewPanel(name: string, newest: readonly Delivery[], view: View): Promise<Html> {
  const { address } = view
  const asked = valueOf(address, 'event')
  const id = asked ?? newest.find(({ payloadExpiredAt }) => payloadExpiredAt === null)?.eventId ?? null
  return panel({
    id: 'preview',
    title: 'What it is sent',
    body: html`<form class="filters" method="get" action="${address.path}#preview">
        <div class="field grow">
          <label for="preview-event">Event</label>
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
        <button type="submit">Preview</button>
      </form>
      ${id === null ? html`<p class="dim">It was sent nothing yet: give the id of an event.</p>` : await shown(name, id, view)}`,
  })
}

async function shown(name: string, id: string, { desk }: View): Promise<Html> {
  try {
    const [named = id] = await desk.store.eventsNamed(id, { limit: 1 })
    const [first, ...others] = distinct(await desk.reports.preview(name, named))
    if (first === undefined) return html`<p class="dim">It is sent nothing for this event.</p>`
    return html`<h3>${NAMES[first.mediaType] ?? first.mediaType}</h3>
      ${textBlock(first.text)} ${others.map(({ mediaType, text }) => textDetails(NAMES[mediaType] ?? mediaType, text))}`
  } catch (error) {
    if (error instanceof ShipbellError && (error.code === 'not_found' || error.code === 'wrong_state'))
      return html`<p class="remedy">${sentence(error.message)}</p>`
    throw error
  }
}

/** A webhook has no text for people beside what goes over the wire: the same stands once, under the latter's name. */
function distinct(previews: readonly MessagePreview[]): readonly MessagePreview[] {
  return previews.filter(({ text }, nth) => previews.findLastIndex((each) => each.text === text) === nth)
}
