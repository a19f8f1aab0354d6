import { html } from 'hono/html'
import { routeOf } from '../../../message/words/journey.ts'
import { isRecordResource, RESOURCES } from '../../../model/resource.ts'
import type { LoggedEvent } from '../../../model/event.ts'
import { textField } from '../../../model/json.ts'
import { visible } from '../../../printable.ts'
import { amountText, say, sayCount } from '../languages/say.ts'
import { eventPath, link, recordPath } from '../parts/address.ts'
import { eventSentence } from '../parts/event-line.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { spoken, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import type { Changed, Changes } from './changes.ts'
import { type Since, sinceControl, sinceWords } from './since-choice.ts'

/** How many stand in sight, how many lines of one, and how many of its events are listed. */
const IN_SIGHT = 8
const MOST_EVENTS = 10

interface ShownChanges {
  readonly changes: Changes
  readonly since: Since
  /** What rang last: it may be too light to stand among what changed. */
  readonly latest: readonly LoggedEvent[]
}

/** What changed since a moment: each shipment once, with what its changes come to, the heaviest first. */
export function changesSection({ changes, latest, since }: ShownChanges, view: View): Html {
  const { changed, looked } = changes
  const [sight, rest] = [changed.slice(0, IN_SIGHT), changed.slice(IN_SIGHT)]
  const log = link({ path: '/events', query: {} }, { since: new Date(since.at).toISOString() })
  return panel({
    id: 'changes',
    title: sinceWords(since),
    live: 'event',
    aside: html`<a href="${log}">${say('All events since')}</a>
      <a href="/slips?days=7">${say('What slipped most')}</a>`,
    body: html`${sinceControl(since, view)}
    ${
      changed.length === 0
        ? html`<div class="empty">${say('Nothing changed. What changes on the platform shows here at once.')}</div>`
        : html`<ol class="changed">
            ${sight.map((each) => changedEntry(each, view))}
          </ol>`
    }
    ${
      rest.length === 0
        ? null
        : html`<details id="more-changed" data-key="more-changed">
            <summary>${say('{n} more', { n: rest.length })}</summary>
            <ol class="changed">
              ${rest.map((each) => changedEntry(each, view))}
            </ol>
          </details>`
    }
    ${latestList(latest, view)} ${othersLine(changes, log)}
    ${looked === null ? null : html`<p class="dim small">${lookedText(looked, changes.rang)}</p>`}`,
  })
}

function latestList(latest: readonly LoggedEvent[], { now }: View): Html | null {
  if (latest.length === 0) return null
  return html`<div id="latest">
    <h3>${say('Rang last')}</h3>
    <ol class="small">
      ${latest.map(
        (event) =>
          html`<li data-key="${visible(event.id)}">
            ${eventSentence(event)} <span class="dim">${ago(event.timestamp, now)}</span>
          </li>`,
      )}
    </ol>
  </div>`
}

function othersLine({ others, returned }: Changes, log: string): Html {
  return html`${others === 0 ? null : html`<p class="small"><a href="${log}">${sayCount(others, ['{n} more record changed.', '{n} more records changed.'])}</a></p>`}
  ${returned === 0 ? null : html`<p class="dim small">${sayCount(returned, ['{n} record changed and came back to what was before.', '{n} records changed and came back to what was before.'])}</p>`}`
}

function lookedText(looked: number, rang: number): string {
  return rang > looked
    ? say('These are the newest {n} events of {all}.', { n: amountText(looked), all: amountText(rang) })
    : say('These are the newest {n} events: older ones since then are in the log.', { n: amountText(looked) })
}

/** What changed of one record: what its changes come to, and its events behind a click. */
export function changedEntry({ entry, lines, shipment, unsaid }: Changed, { desk, now }: View): Html {
  const { account, events, id, resource } = entry
  const newest = events.at(-1) ?? events[0]
  const route = shipment === null ? null : routeOf(shipment)
  const name = resource === 'shipment' ? ((shipment && textField(shipment, 'name')) ?? entry.name ?? id) : id
  return html`<li class="change ${entry.tone}" data-row data-key="${visible(`${account}/${resource}/${id}`)}">
    <p class="whose">
      ${lead({ account, id, name, resource })}
      ${route === null ? null : html`<span class="dim">${text(route, 120)}</span>`}
      ${desk.accounts().length > 1 && account !== null ? html`<span class="dim small">${text(account, 60)}</span>` : null}
      <span class="dim small">${ago(newest.timestamp, now)}</span>
    </p>
    <ul class="sentences">
      ${lines.map(
        ({ change, text: said }) =>
          html`<li>
            <a class="said" href="${eventPath((change?.events.at(-1) ?? newest).id)}">${spoken(said, 300)}</a>
          </li>`,
      )}
      ${unsaid > 0 ? html`<li class="dim small">${sayCount(unsaid, ['and {n} change more', 'and {n} changes more'])}</li>` : null}
    </ul>
    ${events.length === 1 ? null : eventsBehind(entry, now)}
  </li>`
}

/** The newest events of an entry, behind a click; of many, where the others are. */
function eventsBehind({ account, events, id, resource }: Changed['entry'], now: number): Html {
  const unlisted = events.length - MOST_EVENTS
  const path = account === null || !isRecordResource(resource) ? null : recordPath({ account, resource, id })
  return html`<details data-key="events">
    <summary class="small">${sayCount(events.length, ['{n} event', '{n} events'])}</summary>
    <ol>
      ${events
        .toReversed()
        .slice(0, MOST_EVENTS)
        .map(
          (event) => html`<li>${eventSentence(event)} <span class="dim small">${ago(event.timestamp, now)}</span></li>`,
        )}
      ${unlisted > 0 && path !== null ? html`<li class="dim small"><a href="${path}#events">${say('{n} more', { n: unlisted })}</a></li>` : null}
    </ol>
  </details>`
}

interface Lead {
  readonly account: string | null
  readonly resource: Changed['entry']['resource']
  readonly id: string
  readonly name: string
}

function lead({ account, id, name, resource }: Lead): Html {
  if (account === null || !isRecordResource(resource)) return text(name, 120)
  const kind = resource === 'shipment' ? '' : `${say(RESOURCES[resource].labels.one)} `
  return html`<a href="${recordPath({ account, resource, id })}#changes">${kind}${text(name, 120)}</a>`
}
