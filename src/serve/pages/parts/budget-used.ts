import { html } from 'hono/html'
import { amountText, say, sayAround } from '../languages/say.ts'
import type { AccountOverview } from '../../../store/ports/query-port.ts'
import { shareBar } from '../charts/bar.ts'
import { accountPath } from './address.ts'
import type { Html } from './markup.ts'
import { DASH } from './text.ts'

/** From this share on there is little left. */
const NEARLY = 0.9

/**
 * Requests of the last hour beside what the budget allows in one. A budget belongs to its key: what other accounts with the same
 * key, `sharing`, have sent of it counts too.
 */
export function budgetUsed(account: AccountOverview | undefined, sharing: readonly AccountOverview[]): Html {
  if (account === undefined || account.budgetUse === null) return DASH
  const { budgetPerHour, requests } = account.budgetUse
  const all = sharing.reduce((sum, { budgetUse }) => sum + (budgetUse?.requests ?? 0), requests)
  const share = all / Math.max(budgetPerHour, 1)
  return html`<span>${so(requests)} <span class="dim">${say('of {all}', { all: so(budgetPerHour) })}</span></span>
    ${shareBar(share, share > NEARLY ? 'warning' : 'neutral')}
    ${sharing.length === 0 ? null : html`<div class="small dim">${sayAround('shared with {accounts}, {n} in all', { accounts: sharedWith(sharing), n: so(all) })}</div>`}`
}

function sharedWith(sharing: readonly AccountOverview[]): Html {
  return html`${sharing.map(({ account }, nth) => html`${nth === 0 ? null : ', '}<a href="${accountPath(account)}">${account}</a>`)}`
}

/** The accounts that ask with the same key as one of them, itself left out. */
export function sharingWith(
  account: string,
  accounts: readonly AccountOverview[],
  { sharing }: { readonly sharing: (account: string) => readonly string[] },
): readonly AccountOverview[] {
  const names = new Set(sharing(account))
  return accounts.filter((each) => names.has(each.account))
}

function so(many: number): string {
  return amountText(Math.round(many))
}
