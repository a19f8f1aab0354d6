import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { amountText, say } from '../languages/say.ts'
import { remedyOf } from '../../../report/remedy.ts'
import type { FailureFilter, FailureGroup } from '../../../store/ports/log-query-port.ts'
import { actionForm } from '../parts/actions.ts'
import { type Address, deliveryPath, link, PLACE, subscriptionPath } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table, type Column } from '../parts/table.ts'
import { sentence, text } from '../parts/text.ts'
import type { View } from '../show-page.ts'
import { retryFields, retryRequestOf } from './retry-request.ts'
import { mayAct } from '../../admin-context.ts'

/** Why rows are not delivered, by endpoint and cause, each with its remedy; nothing where all goes well. */
export async function failuresPanel(view: View, filter: FailureFilter): Promise<Html | null> {
  const { asker, desk } = view
  const groups = await desk.store.failures(filter)
  if (groups.length === 0) return null
  const retry = (group: FailureGroup): Html => retryGroup(group, view)
  const action: readonly Column<FailureGroup>[] = mayAct(asker) ? [{ name: 'Action', cell: retry }] : []
  return panel({
    id: 'failures',
    title: 'Why deliveries fail',
    aside: html`<span>${say('by endpoint and cause, of rows that are not delivered')}</span>`,
    live: 'delivery',
    body: table({
      caption: 'Failures by endpoint and cause',
      rows: groups,
      key: ({ cause, subscription: name }) => `${name} ${cause}`,
      columns: [
        { name: 'To|whom', cell: ({ subscription: name }) => html`<a href="${subscriptionPath(name)}">${name}</a>` },
        { name: 'Cause', kind: 'wide', cell: ({ cause }) => html`<strong>${text(retold(cause), 300)}</strong>` },
        { name: 'What to do', kind: 'wide', cell: remedy },
        { name: 'Rows', kind: 'number', cell: (group) => rowsOf(group, view) },
        ...action,
      ],
      empty: html`${say('Nothing fails.')}`,
    }),
  })
}

function remedy({ cause, example, status, subscription }: FailureGroup): Html {
  const said = remedyOf({ subscription, status, error: example.lastError ?? cause, state: example.state })
  return html`${sentence(said)} <a href="${deliveryPath(example.id)}">${say('The newest')}</a>`
}

function rowsOf({ cause, more, rows, subscription }: FailureGroup, { address }: View): Html {
  const href = link(filterIn(address), { ...PLACE, subscription, cause })
  return html`<a href="${href}">${amountText(rows)}${more ? '+' : ''}</a>`
}

/** The list of deliveries as it is filtered here; on another page nothing is filtered. */
function filterIn({ path, query }: Address): Address {
  return { path: '/deliveries', query: path === '/deliveries' ? query : {} }
}

function retryGroup({ cause, subscription }: FailureGroup, { address, now }: View): Html {
  const fields = { ...retryFields(retryRequestOf(filterIn(address), now)), subscription, cause }
  return actionForm({ path: '/deliveries/retry', label: 'Retry', asks: true, fields })
}
