import { html } from 'hono/html'
import { shownChanges } from '../../../model/event-data.ts'
import { saidEntry } from '../../../message/net/entry-words.ts'
import { netEntries } from '../../../message/net/net-entries.ts'
import { counted } from '../../../message/words/span.ts'
import type { LoggedEvent } from '../../../model/event.ts'
import { visible } from '../../../printable.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'
import { link } from '../parts/address.ts'
import { diff } from '../parts/diff.ts'
import { eventItem } from '../parts/event-line.ts'
import type { Html } from '../parts/markup.ts'
import { badge } from '../parts/badge.ts'
import { panel } from '../parts/panel.ts'
import { text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import { wording } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import type { RecordEvents } from './record-events.ts'

/** Every event of a record with what it changed, the newest first. */
export function eventsPanel(
  { account, id, resource }: RecordKey,
  { events, view }: { readonly events: RecordEvents; readonly view: View },
): Html {
  const all = link({ path: '/events', query: { account: [account], resource: [resource], subject: [id] } })
  return panel({
    id: 'events',
    title: 'Events',
    live: 'event',
    aside: html`${events.more ? html`<span>the newest ${events.items.length}</span>` : null}<a href="${all}"
        >In the log</a
      >`,
    body:
      events.items.length === 0
        ? html`<div class="empty">Nothing changed since it was first read. What changes next shows here at once.</div>`
        : html`<ol class="events">
            ${readingsOf(events.items).map((reading) => readingItem(reading, view))}
          </ol>`,
  })
}

/** Events that one reading brought, the newest first. */
type Reading = readonly [LoggedEvent, ...LoggedEvent[]]

function readingsOf(events: readonly LoggedEvent[]): readonly Reading[] {
  const readings = Map.groupBy(events, ({ cause, timestamp }) => `${cause} ${timestamp}`)
  return [...readings.values()].flatMap(([first, ...rest]): readonly Reading[] =>
    first === undefined ? [] : [[first, ...rest]],
  )
}

/** What one reading brought: its event, or what its events come to, which opens to each of them. */
function readingItem(reading: Reading, view: View): Html {
  const [newest, ...others] = reading
  const [entry, ...more] = netEntries(reading.toReversed())
  if (
    others.length === 0 ||
    entry === undefined ||
    more.length > 0 ||
    reading.some(({ expiredAt }) => expiredAt !== null)
  )
    return html`${reading.map((event) => singleItem(event, view))}`
  const { lines } = saidEntry(entry, wording())
  return html`<li data-row data-key="reading-${visible(newest.id)}">
    <p class="said">${text(lines.map((line) => line.text).join(' '), 600)}</p>
    <p class="small row"><span class="dim">${ago(newest.timestamp, view.now)}</span> ${badge('net', entry.tone)}</p>
    <details>
      <summary>${counted(reading.length, 'event')}</summary>
      <ol class="events">
        ${reading.map((event) => singleItem(event, view))}
      </ol>
    </details>
  </li>`
}

function singleItem(event: LoggedEvent, view: View): Html {
  return eventItem(event, {
    anchor: `since-${event.sequence}`,
    now: view.now,
    more: html`${diff(shownChanges(event) ?? [])}${sinceLink(event.sequence, view)}`,
  })
}

function sinceLink(sequence: number, { address }: View): Html {
  const href = `${link(address, { seen: String(sequence) })}#since`
  return html`<p class="small"><a class="since" href="${href}">What changed since then</a></p>`
}
