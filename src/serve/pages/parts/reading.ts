import { html } from 'hono/html'
import { saidEntry } from '../../../message/net/entry-words.ts'
import { ownerKey } from '../../../message/net/event-owner.ts'
import { netEntries } from '../../../message/net/net-entries.ts'
import type { NetEntry } from '../../../message/net/net-entry.ts'
import type { LoggedEvent } from '../../../model/event.ts'
import { sayCount } from '../languages/say.ts'
import { eventPath } from './address.ts'
import { isOrdinary } from './event-line.ts'
import type { Html } from './markup.ts'
import { spoken } from './text.ts'
import { wording } from './time.ts'

/** Several events that one commit brought of one shipment or other record, and what they come to. */
export interface Reading {
  readonly entry: NetEntry<LoggedEvent>
  readonly newest: LoggedEvent
  /** Newest first. */
  readonly events: readonly LoggedEvent[]
}

/** Events as a list shows them: each by itself, or what one reading brought of a record as one. */
export type Entry = { readonly event: LoggedEvent } | { readonly reading: Reading }

/** Events of a list, newest first, with those together that one reading brought of a record; each where its newest stands. */
export function entriesOf(events: readonly LoggedEvent[]): readonly Entry[] {
  return [...Map.groupBy(events, readingKey).values()].flatMap((own): readonly Entry[] => {
    const [newest] = own
    if (newest === undefined || own.length === 1) return own.map((event) => ({ event }))
    const [entry] = netEntries(own.toReversed())
    return entry === undefined ? [] : [{ reading: { entry, newest, events: own } }]
  })
}

/** What expired says nothing any more; tests, reminders and snapshots are not of a reading. */
function readingKey(event: LoggedEvent): string {
  const { cause, expiredAt, id, timestamp } = event
  return expiredAt !== null || !isOrdinary(event) ? id : `${cause} ${timestamp} ${ownerKey(event)}`
}

/** How many lines of a reading stand in sight. */
const LINES = 4

/** What a reading came to, the heaviest first: each line leads to the newest event of which it tells. */
export function readingLines({ entry, newest }: Reading): Html {
  const { lines } = saidEntry(entry, wording())
  return html`<ul class="sentences">
    ${lines.slice(0, LINES).map(
      ({ change, text: said }) =>
        html`<li class="said">
          <a href="${eventPath((change?.events.at(-1) ?? newest).id)}">${spoken(said, 300)}</a>
        </li>`,
    )}
    ${lines.length > LINES ? html`<li class="dim small">${sayCount(lines.length - LINES, ['and {n} change more', 'and {n} changes more'])}</li>` : null}
  </ul>`
}

/** Every event of a reading, behind a click. */
export function readingEvents({ events }: Reading, item: (event: LoggedEvent) => Html): Html {
  return html`<details data-key="each">
    <summary class="small">${sayCount(events.length, ['{n} event', '{n} events'])}</summary>
    <ol class="events">
      ${events.map(item)}
    </ol>
  </details>`
}
