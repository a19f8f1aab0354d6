import { html } from 'hono/html'
import { amountText, say } from '../languages/say.ts'
import { ShipbellError } from '../../../errors.ts'
import type { Desk } from '../../scope/desks.ts'
import { requestOutcomes, type RequestOutcome } from '../../../report/request-outcomes.ts'
import { sharingWith } from '../parts/budget-used.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { facts, panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { text } from '../parts/text.ts'
import type { View } from '../show-page.ts'
import { accountFacts, accountTrouble } from './account-facts.ts'
import { heldPanels } from './held-panels.ts'
import { quarantinePanel } from './quarantine-panel.ts'
import { readsPanel } from './reads-panel.ts'

/** How one account is read, and what waits for a decision there. */
export async function accountPage(name: string, view: View): Promise<Page> {
  const { desk, now } = view
  const overviews = await desk.store.accounts(now)
  const overview = overviews.find(({ account }) => account === name)
  const settings = desk.accounts().find((each) => each.name === name)
  if (overview === undefined && settings === undefined) {
    throw new ShipbellError('not_found', `There is no account ${JSON.stringify(name)}.`)
  }
  const fresh = overview === undefined ? undefined : (await desk.reports.freshness([name]))[0]
  const body = html`<div class="head">
      <h1>${name}</h1>
      ${settings === undefined ? html`<span class="dim">${say('no longer in the configuration')}</span>` : null}
    </div>
    ${overview === undefined ? null : accountTrouble(overview, now)} ${await heldPanels(name, view)}
    ${panel({
      id: 'platform',
      title: 'Its platform',
      live: 'event delivery',
      body:
        overview === undefined
          ? html`<p class="dim">${say('It was not asked yet.')}</p>`
          : facts(accountFacts(overview, { fresh, now, sharing: sharingWith(name, overviews, desk.reports) })),
    })}
    ${readsPanel({ overview, settings, fresh }, view)} ${await quarantinePanel(name, view)}
    ${await requestsPanel(name, desk)}`
  return { title: name, under: 'Accounts', body }
}

async function requestsPanel(name: string, { metrics }: Pick<Desk, 'metrics'>): Promise<Html | null> {
  if (metrics === null) return null
  const outcomes = requestOutcomes((await metrics()).text, name)
  return panel({
    id: 'requests',
    title: 'Requests',
    aside: html`<span>${say('by resource and outcome, since Shipbell was started')}</span>`,
    live: 'event delivery',
    body: table<RequestOutcome>({
      caption: 'Requests by resource and outcome',
      rows: outcomes,
      key: ({ outcome, resource }) => `${resource} ${outcome}`,
      columns: [
        { name: 'Resource', cell: ({ resource }) => text(resource) },
        {
          name: 'Outcome',
          kind: 'wide',
          cell: ({ outcome }) => (GOOD.has(outcome) ? text(outcome) : html`<strong>${text(outcome)}</strong>`),
        },
        { name: 'Requests', kind: 'number', cell: ({ amount }) => amountText(amount) },
      ],
      empty: html`${say('None was sent since Shipbell was started.')}`,
    }),
  })
}

/** Outcomes that are as they should be. */
const GOOD = new Set(['ok', 'empty', 'not_found'])
