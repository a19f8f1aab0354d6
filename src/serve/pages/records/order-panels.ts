import { html } from 'hono/html'
import { routeOf } from '../../../message/words/journey.ts'
import { textField, type JsonObject } from '../../../model/json.ts'
import { namedShipments, orderLines } from '../../../model/order-fate.ts'
import { trackingInstant } from '../../../model/shipment.ts'
import { visible } from '../../../printable.ts'
import type { RecordDetail, RecordKey } from '../../../store/ports/record-query-port.ts'
import { say } from '../languages/say.ts'
import { recordPath } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { DASH, text, textOrDash } from '../parts/text.ts'
import { day } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { changedEntry } from '../today/changes-section.ts'
import { changesOf } from '../today/changes.ts'
import { sinceControl, sinceOf, sinceWords } from '../today/since-choice.ts'

/** How many shipments of an order are shown. */
const MOST = 20

/** The shipments that an order goes with, and what changed of it and of them since a moment. */
export async function orderPanels({ account, id, object }: RecordDetail, view: View): Promise<Html> {
  const all = object === null ? [] : namedShipments(orderLines(object))
  const known = await view.desk.store.records(account, 'shipment', all.slice(0, MOST))
  const rows = all.slice(0, MOST).map((shipment) => ({ id: shipment, object: known.get(shipment)?.seen ?? null }))
  const keys: readonly RecordKey[] = [
    { account, resource: 'purchase_order', id },
    ...rows.map((row) => ({ account, resource: 'shipment', id: row.id }) as const),
  ]
  const since = sinceOf(view)
  const changed = await changesOf(keys, since.at, view)
  return html`${panel({
    id: 'shipments',
    title: 'Shipments',
    live: 'event',
    aside: html`<span
      >${all.length > MOST ? say('the first {n} of {all}', { n: MOST, all: all.length }) : all.length}</span
    >`,
    body: shipmentTable(rows, account),
  })}
  ${panel({
    id: 'changes',
    title: sinceWords(since),
    live: 'event',
    body: html`${sinceControl(since, view)}
    ${
      changed.length === 0
        ? html`<div class="empty">${say('Nothing changed, of the order or of a shipment that it goes with.')}</div>`
        : html`<ol class="changed">
            ${changed.map((each) => changedEntry(each, view))}
          </ol>`
    }`,
  })}`
}

interface Row {
  readonly id: string
  /** The shipment as it was read last; null: nothing of it is known. */
  readonly object: JsonObject | null
}

function shipmentTable(rows: readonly Row[], account: string): Html {
  return table<Row>({
    caption: 'Shipments that the order goes with',
    rows,
    key: ({ id }) => visible(id),
    empty: html`${say('No line of the order is assigned to a shipment.')}`,
    columns: [
      {
        name: 'Name',
        kind: 'wide',
        cell: ({ id, object }) =>
          html`<a href="${recordPath({ account, resource: 'shipment', id })}"
            >${text(textField(object ?? {}, 'name') ?? id, 120)}</a
          >`,
      },
      { name: 'Route', cell: ({ object }) => textOrDash(routeOf(object ?? undefined)) },
      {
        name: 'Status',
        cell: ({ object }) => {
          const status = textField(object ?? {}, 'status')
          return status === null ? DASH : stateBadge(status)
        },
      },
      {
        name: 'Arrival',
        cell: ({ object }) => {
          const at = trackingInstant(object, 'arrival')
          return at === null ? DASH : day(at)
        },
      },
    ],
  })
}
