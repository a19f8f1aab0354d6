import { html } from 'hono/html'
import type { AccountOverview } from '../../../store/query-port.ts'
import { healthOf } from '../../../report/account.ts'
import { shareBar } from '../charts/bar.ts'
import { accountPath } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import type { Overview } from './overview-data.ts'

/** From this share on there is little left. */
const NEARLY = 0.9

/** Requests of the last hour beside what the budget allows in one. */
export function budgetPanel({ accounts }: Overview): Html {
  return panel({
    id: 'budget',
    title: 'Budget',
    live: 'event delivery',
    aside: html`<span>requests of the last hour</span>`,
    body: table<AccountOverview>({
      caption: 'Requests of the last hour beside the budget',
      rows: accounts,
      key: ({ account }) => account,
      empty: html`No request was sent yet.`,
      columns: [
        { name: 'Account', cell: ({ account }) => html`<a href="${accountPath(account)}">${text(account)}</a>` },
        { name: 'Used', kind: 'wide', cell: used },
        { name: 'Left', kind: 'number', cell: left },
        { name: 'Platform', cell: (account) => stateBadge(healthOf(account)) },
      ],
    }),
  })
}

function used({ budgetUse }: AccountOverview): Html {
  if (budgetUse === null) return DASH
  const { budgetPerHour, requests } = budgetUse
  const share = requests / Math.max(budgetPerHour, 1)
  return html`<span>${Math.round(requests)} <span class="dim">of ${Math.round(budgetPerHour)}</span></span>
    ${shareBar(share, share > NEARLY ? 'warning' : 'neutral')}`
}

function left({ budgetUse }: AccountOverview): Html {
  if (budgetUse === null) return DASH
  return html`${Math.max(Math.round(budgetUse.budgetPerHour - budgetUse.requests), 0)}`
}
