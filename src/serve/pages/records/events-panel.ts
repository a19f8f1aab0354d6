import { html } from 'hono/html'
import { shownChanges } from '../../../model/event-data.ts'
import type { LoggedEvent } from '../../../model/event.ts'
import { visible } from '../../../printable.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'
import { say } from '../languages/say.ts'
import { link } from '../parts/address.ts'
import { placedChanges } from '../parts/changed-places.ts'
import { diff } from '../parts/diff.ts'
import { eventItem } from '../parts/event-line.ts'
import type { Html } from '../parts/markup.ts'
import { badge } from '../parts/badge.ts'
import { panel } from '../parts/panel.ts'
import { entriesOf, readingEvents, readingLines, type Entry } from '../parts/reading.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import type { RecordEvents } from './record-events.ts'

interface ShownEvents {
  readonly events: RecordEvents
  /** What an event says, with what people call the shipment of an order. */
  readonly named: (event: LoggedEvent) => LoggedEvent
  readonly view: View
}

/** Every event of a record with what it changed, the newest first. */
export function eventsPanel({ account, id, resource }: RecordKey, { events, named, view }: ShownEvents): Html {
  const all = link({ path: '/events', query: { account: [account], resource: [resource], subject: [id] } })
  return panel({
    id: 'events',
    title: 'Events',
    live: 'event',
    aside: html`${events.more ? html`<span>${say('the newest {n}', { n: events.items.length })}</span>` : null}<a
        href="${all}"
        >${say('In the log')}</a
      >`,
    body:
      events.items.length === 0
        ? html`<div class="empty">
            ${say('Nothing changed since it was first read. What changes next shows here at once.')}
          </div>`
        : html`<ol class="events">
            ${entriesOf(events.items).map((entry) => entryItem(entry, (event) => singleItem(named(event), view), view))}
          </ol>`,
  })
}

/** What one reading brought: its event, or what its events come to, which opens to each of them. */
function entryItem(entry: Entry, single: (event: LoggedEvent) => Html, view: View): Html {
  if ('event' in entry) return single(entry.event)
  const { reading } = entry
  return html`<li data-row data-key="reading-${visible(reading.newest.id)}">
    ${readingLines(reading)}
    <p class="small row">
      <span class="dim">${ago(reading.newest.timestamp, view.now)}</span> ${badge(say('net'), reading.entry.tone)}
    </p>
    ${readingEvents(reading, single)}
  </li>`
}

function singleItem(event: LoggedEvent, view: View): Html {
  return eventItem(event, {
    anchor: `since-${event.sequence}`,
    now: view.now,
    more: html`${changesOf(event)}${sinceLink(event.sequence, view)}`,
  })
}

/** How many changes of one event stand open below its sentence. */
const IN_SIGHT = 3

/** What an event changed: all of it where few would be a click away. */
function changesOf(event: LoggedEvent): Html {
  const changes = placedChanges(shownChanges(event) ?? [], event)
  return diff(changes, changes.length <= IN_SIGHT + 1 ? changes.length : IN_SIGHT)
}

function sinceLink(sequence: number, { address }: View): Html {
  const href = `${link(address, { seen: String(sequence) })}#since`
  return html`<p class="small"><a class="since" href="${href}">${say('What changed since then')}</a></p>`
}
