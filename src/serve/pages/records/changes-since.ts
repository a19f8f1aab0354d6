import { html } from 'hono/html'
import type { LoggedEvent } from '../../../model/event.ts'
import { shownChanges } from '../../../model/event-data.ts'
import { ownerOf } from '../../../message/net/event-owner.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'
import { say, sayAround, sayCount } from '../languages/say.ts'
import { link, valueOf } from '../parts/address.ts'
import { placedChanges, placeKey, type PlacedChange } from '../parts/changed-places.ts'
import { diff } from '../parts/diff.ts'
import { eventSentence } from '../parts/event-line.ts'
import type { Html } from '../parts/markup.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import type { RecordEvents } from './record-events.ts'

/**
 * What is different from how the record stood after an event (`?seen=SEQUENCE`), whatever happened between. Hidden until a
 * browser that showed the record before fills it.
 */
export async function changesSince(key: RecordKey, events: RecordEvents, view: View): Promise<Html> {
  const seen = seenOf(view)
  const beside = seen === null ? null : await besideOf(seen + 1, { events, key, view })
  return html`<section
    class="panel since"
    id="since"
    aria-labelledby="since-title"
    ${seen === null ? html`hidden` : null}
  >
    ${seen === null ? html`<h2 id="since-title">${say('Since you last looked')}</h2>` : shownSince(seen, { beside, events, view })}
  </section>`
}

function seenOf({ address }: View): number | null {
  const text = valueOf(address, 'seen') ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

interface Asked {
  readonly key: RecordKey
  readonly events: RecordEvents
  readonly view: View
}

/**
 * The event of this number where it is of an invoice, a document or an order of the shipment: a message leads to the shipment with
 * it, and the shipment's own events do not tell of it. Null: it is another's, or the page's own.
 */
async function besideOf(sequence: number, { events, key, view }: Asked): Promise<LoggedEvent | null> {
  if (key.resource !== 'shipment' || events.items.some((event) => event.sequence === sequence)) return null
  const { store } = view.desk
  const [id] = await store.eventsNamed(`#${sequence}`, { account: key.account, limit: 1 })
  const event = id === undefined ? null : await store.event(id)
  if (event === null || event.expiredAt !== null) return null
  const { account, id: owner, resource } = ownerOf(event)
  return account === key.account && resource === 'shipment' && owner === key.id ? event : null
}

interface ShownSince extends Pick<Asked, 'events' | 'view'> {
  readonly beside: LoggedEvent | null
}

function shownSince(seen: number, { beside, events, view }: ShownSince): Html {
  const newer = events.items.filter(({ sequence }) => sequence > seen)
  const then = events.items.find(({ sequence }) => sequence <= seen)
  const changes = netChanges(newer)
  const amount = newer.length + (beside === null ? 0 : 1)
  const isMore = newer.length === events.items.length && events.more
  return html`<header>
      <h2 id="since-title">
        ${amount === 0 ? say('Nothing changed') : amountOf(amount, isMore)}
        <span
          data-then
          data-looked-word="${say('since you last looked')}"
          data-told-word="${say('since you were told')}"
          >${say('since then')}</span
        >
      </h2>
      <nav class="aside" aria-label="${say('Changes')}">
        ${then === undefined ? null : html`<span>${sayAround('seen as of {ago}', { ago: ago(then.timestamp, view.now) })}</span>`}
        ${step('Previous change', then === undefined ? null : stepBack(then, events), view)}
        ${step('Next change', newer.at(-1)?.sequence ?? null, view)}
        <a href="${link(view.address, { seen: null })}">${say('Close')}</a>
      </nav>
    </header>
    ${beside === null ? null : html`<p>${eventSentence(beside)}</p>`}
    ${
      newer.length > 0 && changes.length === 0
        ? html`<p class="dim">
            ${say('Every value is back to what it was, or whole records came and went: see the events below.')}
          </p>`
        : diff(changes)
    }`
}

function amountOf(n: number, isMore: boolean): string {
  return isMore ? say('More than {n} events', { n }) : sayCount(n, ['{n} event', '{n} events'])
}

/** The event before the one that was seen last: what changed since then shows one change more. */
function stepBack(then: LoggedEvent, { items }: RecordEvents): number {
  const before = items.find(({ sequence }) => sequence < then.sequence)
  return before?.sequence ?? then.sequence - 1
}

function step(label: string, seen: number | null, { address }: View): Html {
  return seen === null
    ? html``
    : html`<a href="${link(address, { seen: String(Math.max(seen, 0)) })}#since">${say(label)}</a>`
}

/** From the first value to the last one, for each leaf that several events changed; what returned is left out. */
function netChanges(newestFirst: readonly LoggedEvent[]): readonly PlacedChange[] {
  const net = new Map<string, PlacedChange>()
  for (const event of newestFirst.toReversed()) {
    for (const change of placedChanges(shownChanges(event) ?? [], event)) {
      const key = `${event.subject.resource} ${placeKey(change.place)}`
      net.set(key, { ...change, from: (net.get(key) ?? change).from })
    }
  }
  return [...net.values()].filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}
