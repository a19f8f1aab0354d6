import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import type { WorkerOverview } from '../../../report/workers.ts'
import { accountPath } from '../parts/address.ts'
import { badge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import type { SystemFacts } from './system-data.ts'

/** How many accounts of a worker are named where it has more. */
const MOST_NAMED = 12

/** Who shares the work, and which accounts each of them polls; nothing where nobody shares it. */
export function workersPanel({ status: { workers } }: SystemFacts, { now }: View): Html | null {
  if (workers.length === 0) return null
  return panel({
    id: 'workers',
    title: 'Workers',
    live: 'event delivery',
    body: table<WorkerOverview>({
      caption: 'Workers and the accounts that they poll',
      rows: workers,
      key: ({ id }) => id,
      empty: html`${say('None runs.')}`,
      columns: [
        { name: 'Worker', cell: ({ id }) => html`<code title="${id}">${id.slice(0, 8)}</code>` },
        {
          name: 'Runs on',
          cell: ({ host, pid }) => html`${text(host)} <span class="dim">${say('process {pid}', { pid })}</span>`,
        },
        { name: 'Since', cell: ({ since }) => ago(since, now) },
        { name: 'Version', cell: ({ version }) => text(version) },
        { name: 'Accounts', kind: 'wide', cell: accountsOf },
      ],
    }),
  })
}

function accountsOf({ accounts, configDiffers }: WorkerOverview): Html {
  if (configDiffers) return html`${badge(say('older configuration'), 'warning')}`
  if (accounts.length === 0) return DASH
  const more = accounts.length - MOST_NAMED
  return html`${accounts.slice(0, MOST_NAMED).map((account) => html`<a href="${accountPath(account)}">${text(account)}</a> `)}
  ${more > 0 ? html`<span class="dim">${say('and {n} more', { n: more })}</span>` : null}`
}
