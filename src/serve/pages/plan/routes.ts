import { html } from 'hono/html'
import { Hono } from 'hono'
import { retold } from '../languages/retold.ts'
import { say } from '../languages/say.ts'
import { roughText, watchedText } from '../parts/words.ts'
import { formatDuration } from '../../../model/duration.ts'
import { roughDuration } from '../../../report/delay.ts'
import type { AccountPlan, ResourcePlan } from '../../../report/plan.ts'
import { budgetWords, counted, planNotes, planVerdict } from '../../../report/plan-words.ts'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { accountPath } from '../parts/address.ts'
import { badge } from '../parts/badge.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { DASH, sentence } from '../parts/text.ts'
import { showPage, viewOf } from '../show-page.ts'
import { requestBars } from './request-bars.ts'

export function planRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/plan', async (c) => showPage(c, desks, planPage(await viewOf(c, desks).desk.reports.plan())))
  return routes
}

/** What is read how often, where the requests go, and whether the budget suffices. */
function planPage(plans: readonly AccountPlan[]): Page {
  const body = html`<div class="head">
      <h1>${say('Plan')}</h1>
      ${plans.length === 0 ? null : badge(say(plans.every(({ fits }) => fits) ? 'all promises fit' : 'not all promises fit'), plans.every(({ fits }) => fits) ? 'good' : 'critical')}
    </div>
    ${
      plans.length === 0
        ? html`<div class="empty">${say('No account is configured: there is nothing to read.')}</div>`
        : plans.map(accountPlan)
    }`
  return { title: say('Plan'), under: 'Plan', body }
}

function accountPlan(plan: AccountPlan): Html {
  const { account, fits, resources } = plan
  return panel({
    id: `plan-${account}`,
    title: account,
    aside: html`<span>${retold(budgetWords(plan))}</span> <a href="${accountPath(account)}">${say('account')}</a>`,
    body:
      resources.length === 0
        ? html`<p class="dim">${say('Nothing is watched: it takes no request.')}</p>`
        : html`${planVerdict(plan).map((line, nth) => html`<p class="${nth === 0 ? `lead verdict ${fits ? 'good' : 'critical'}` : 'remedy'}">${sentence(line)}</p>`)}
            ${planNotes(plan).map((line) => html`<p class="dim">${sentence(line)}</p>`)} ${requestBars(plan)}
            <details>
              <summary>${say('The numbers')}</summary>
              ${planTable(resources)}
            </details>`,
  })
}

function planTable(resources: readonly ResourcePlan[]): Html {
  return table<ResourcePlan>({
    caption: 'What is read how often',
    rows: resources,
    columns: [
      { name: 'Resource', cell: ({ watch }) => watchedText(watch) },
      { name: 'Promised every', kind: 'number', cell: ({ everyMs }) => formatDuration(everyMs) },
      { name: 'Kept every', kind: 'number', cell: ({ keptEveryMs }) => roughDuration(keptEveryMs) },
      { name: 'To read', kind: 'number', cell: ({ each, requests }) => retold(counted(requests, each)) },
      { name: 'Requests an hour', kind: 'number', cell: ({ requestsPerHour }) => roughText(requestsPerHour) },
      { name: 'Of which promised', kind: 'number', cell: ({ targetPerHour }) => roughText(targetPerHour) },
      {
        name: 'Read every',
        kind: 'number',
        cell: ({ readEveryMs }) => (readEveryMs === null ? DASH : roughDuration(readEveryMs)),
      },
      {
        name: 'Mean delay',
        kind: 'number',
        cell: ({ delay }) => (delay === null ? DASH : roughDuration(delay.meanMs)),
      },
      {
        name: '95 % within',
        kind: 'number',
        cell: ({ delay }) => (delay === null ? DASH : roughDuration(delay.p95Ms)),
      },
    ],
    empty: html`${say('Nothing is watched.')}`,
  })
}
