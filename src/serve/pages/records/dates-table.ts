import { html } from 'hono/html'
import type { Milestone } from '../../../model/shipment.ts'
import type { DateValue } from '../../../store/ports/record-query-port.ts'
import { say } from '../languages/say.ts'
import { wordText } from '../parts/words.ts'
import { eventPath, subscriptionPath } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { table } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { hour, sentDate } from '../parts/time.ts'
import type { Hearers } from './hearers.ts'

interface Row extends DateValue {
  readonly milestone: Milestone
}

/** Every value that the dates had. */
export function datesTable(
  drifts: readonly { readonly milestone: Milestone; readonly values: readonly DateValue[] }[],
  hearers: Hearers,
): Html {
  const rows = drifts.flatMap(({ milestone, values }) => values.map((value): Row => ({ ...value, milestone })))
  return table<Row>({
    caption: 'Every value of the dates',
    rows,
    empty: html`${say('The platform has sent no dates yet.')}`,
    columns: [
      { name: 'Milestone', cell: ({ milestone }) => wordText(milestone) },
      {
        name: 'Date',
        cell: ({ date }) => (date === null ? html`<span class="dim">${say('none')}</span>` : sentDate(date)),
      },
      { name: 'Status', cell: ({ status }) => (status === null ? DASH : stateBadge(status)) },
      { name: 'Seen', cell: ({ seenAt }) => (seenAt === null ? DASH : hour(seenAt)) },
      { name: 'Told', cell: told },
      { name: 'To|whom', kind: 'wide', cell: ({ eventId }) => (eventId === null ? DASH : heard(eventId, hearers)) },
    ],
  })
}

function told({ eventId, toldAt }: Row): Html {
  if (toldAt === null) return html`<span class="dim">${say('learnt silently')}</span>`
  return eventId === null ? hour(toldAt) : html`<a href="${eventPath(eventId)}">${hour(toldAt)}</a>`
}

function heard(eventId: string, hearers: Hearers): Html {
  const rows = hearers.get(eventId)
  if (rows === undefined) return html`<a href="${eventPath(eventId)}">${say('see the event')}</a>`
  if (rows.length === 0) return html`<span class="dim">${say('nobody listened')}</span>`
  return html`<ul class="hearers">
    ${rows.map(
      ({ state, subscription }) =>
        html`<li><a href="${subscriptionPath(subscription)}">${text(subscription)}</a> ${stateBadge(state)}</li>`,
    )}
  </ul>`
}
