import { html } from 'hono/html'
import { asText, field, isJsonArray, textField, type Json, type JsonObject } from '../../../model/json.ts'
import { say } from '../languages/say.ts'
import { wordText } from '../parts/words.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { text, textOrDash } from '../parts/text.ts'

const MOST = 200

/** What a shipment is packed in. */
export function containersPanel(shipment: JsonObject | null): Html {
  const containers = field(field(shipment ?? {}, 'cargo'), 'containers')
  if (!isJsonArray(containers) || containers.length === 0) return html``
  return panel({
    id: 'containers',
    title: 'Containers',
    aside: html`<span>${containers.length}</span>`,
    body: table<Json>({
      caption: 'Containers',
      rows: containers.slice(0, MOST),
      empty: html`${say('None.')}`,
      columns: [
        { name: 'Number', cell: (each) => textOrDash(textField(each, 'container_number')) },
        { name: 'Type', cell: (each) => text(wordText(field(each, 'container_type'))) },
        { name: 'Seal', cell: (each) => textOrDash(textField(each, 'seal_number')) },
        { name: 'Orders', kind: 'wide', cell: (each) => textOrDash(ordersOf(each)) },
      ],
    }),
  })
}

function ordersOf(container: Json): string {
  const orders = field(container, 'purchase_order_references')
  return isJsonArray(orders) ? orders.flatMap((each) => asText(each) ?? []).join(', ') : ''
}
