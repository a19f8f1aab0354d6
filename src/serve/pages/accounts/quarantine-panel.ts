import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import { RESOURCES } from '../../../model/resource.ts'
import { link, recordPath } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { placeOf } from '../parts/query.ts'
import { table } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import type { View } from '../show-page.ts'

/** Records that cannot be understood, each with the reason; nothing where there are none. */
export async function quarantinePanel(account: string, { address, desk }: View): Promise<Html | null> {
  const { items, next } = await desk.store.quarantine({ ...placeOf(address), account })
  if (items.length === 0 && next === null) return null
  return panel({
    id: 'quarantine',
    title: 'Quarantine',
    aside: html`<a href="${link({ path: '/events', query: {} }, { account, type: 'account.record_rejected' })}"
      >${say('their events')}</a
    >`,
    body: html`<p>
        ${say('These records cannot be understood. Each keeps its last good reading; tell the platform what is wrong with them.')}
      </p>
      ${table({
        caption: 'Records in quarantine',
        rows: items,
        columns: [
          {
            name: 'Record',
            cell: ({ id, resource }) =>
              id === null ? DASH : html`<a href="${recordPath({ account, resource, id })}">${text(id, 80)}</a>`,
          },
          { name: 'Resource', cell: ({ resource }) => say(RESOURCES[resource].labels.one) },
          { name: 'Why', kind: 'wide', cell: ({ reason }) => html`<strong>${text(reason, 400)}</strong>` },
        ],
        empty: html`${say('None on this page.')}`,
      })}
      ${pager(address, next)}`,
  })
}
