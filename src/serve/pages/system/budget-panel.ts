import { html } from 'hono/html'
import { amountText, say } from '../languages/say.ts'
import type { AccountOverview } from '../../../store/ports/query-port.ts'
import { formatDuration } from '../../../model/duration.ts'
import { healthOf } from '../../../report/account.ts'
import { accountPath } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import { budgetUsed, sharingWith } from '../parts/budget-used.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import type { View } from '../show-page.ts'
import type { SystemFacts } from './system-data.ts'

/** Requests of the last hour beside what the budget allows in one, and what may be sent at this moment. */
export function budgetPanel({ status: { accounts } }: SystemFacts, { desk }: View): Html {
  return panel({
    id: 'budget',
    title: 'Budget',
    live: 'event delivery',
    body: table<AccountOverview>({
      caption: 'Requests beside the budget',
      rows: accounts,
      key: ({ account }) => account,
      empty: html`${say('No request was sent yet.')}`,
      columns: [
        { name: 'Account', cell: ({ account }) => html`<a href="${accountPath(account)}">${text(account)}</a>` },
        {
          name: 'Last hour',
          kind: 'wide',
          cell: (each) => budgetUsed(each, sharingWith(each.account, accounts, desk.reports)),
        },
        { name: 'Left now', kind: 'number', cell: ({ account }) => left(account, desk) },
        { name: 'Platform', cell: (account) => stateBadge(healthOf(account)) },
      ],
    }),
  })
}

function left(account: string, { accounts, budgetLeft }: View['desk']): Html {
  const now = budgetLeft(account)
  const settings = accounts().find(({ name }) => name === account)
  if (now === null || settings === undefined) return DASH
  const { perMs, requests } = settings.budget
  return html`${so(now)}
    <span class="dim">${say('of {n} in {length}', { n: so(requests), length: formatDuration(perMs) })}</span>`
}

function so(many: number): string {
  return amountText(Math.round(many))
}
