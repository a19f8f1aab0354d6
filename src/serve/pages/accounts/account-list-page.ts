import { html } from 'hono/html'
import { amountText, say, sayAround, sayCount } from '../languages/say.ts'
import { watchedText } from '../parts/words.ts'
import { healthOf, pauseAt } from '../../../report/account.ts'
import { readAges, type ReadAge } from '../../../report/read-age.ts'
import type { AccountOverview } from '../../../store/ports/query-port.ts'
import { accountPath } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import { budgetUsed, sharingWith } from '../parts/budget-used.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { problemsBeside } from '../parts/filters.ts'
import { pager } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { DASH, sentence, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import { partOf } from '../parts/whole-list.ts'
import type { View } from '../show-page.ts'

/** Configured ones first, then those that the store still knows. */
export async function accountListPage({ address, desk, now }: View): Promise<Page> {
  const overviews = await desk.store.accounts(now)
  const held = Map.groupBy(await desk.store.holds(), ({ account }) => account)
  const settings = new Map(desk.accounts().map((each) => [each.name, each]))
  const names = [...new Set([...settings.keys(), ...overviews.map(({ account }) => account)])]
  const { next, rows } = partOf(address, names)
  const of = (name: string): AccountOverview | undefined => overviews.find(({ account }) => account === name)
  const ages = (name: string): readonly ReadAge[] => {
    const own = settings.get(name)
    return own === undefined ? [] : readAges(own, of(name), now)
  }
  const body = html`<h1>${say('Accounts')}</h1>
    ${problemsBeside([])}
    <section class="panel" id="accounts" aria-label="${say('Accounts')}" data-live="event delivery">
      ${table({
        caption: 'Accounts',
        rows,
        key: (name) => name,
        columns: [
          { name: 'Name', cell: (name) => html`<a href="${accountPath(name)}">${name}</a>` },
          { name: 'Platform', cell: (name) => platform(of(name), now) },
          { name: 'Freshness', kind: 'wide', cell: (name) => (settings.has(name) ? freshness(ages(name)) : gone()) },
          {
            name: 'Requests of the last hour',
            cell: (name) => budgetUsed(of(name), sharingWith(name, overviews, desk.reports)),
          },
          { name: 'Held removals', kind: 'number', cell: (name) => heldOf(held.get(name)?.length ?? 0) },
          {
            name: 'Events',
            kind: 'number',
            beside: true,
            cell: (name) => amountText(of(name)?.lastSequence ?? 0),
          },
        ],
        empty: sentence(say('No account is configured: `shipbell init` writes a configuration to begin with.')),
      })}
      ${pager(address, next)}
    </section>`
  return { title: say('Accounts'), under: 'Accounts', body }
}

function platform(account: AccountOverview | undefined, now: number): Html {
  if (account === undefined) return badge(say('not asked yet'), 'dim')
  const pause = pauseAt(account, now)
  return html`${stateBadge(healthOf(account))}
  ${pause === null ? null : html`<span class="dim">${sayAround('left alone until {ago}', { ago: ago(pause.notBefore, now) })}</span>`}`
}

const GRAVEST = ['late', 'grace', 'unread'] as const

/** The worst state, and how many lists are in it. */
function freshness(ages: readonly ReadAge[]): Html {
  if (ages.length === 0) return html`<span class="dim">${say('nothing is watched')}</span>`
  const state = GRAVEST.find((each) => ages.some((age) => age.state === each))
  if (state === undefined)
    return html`${stateBadge('fresh')} <span class="dim">${say('all {n}', { n: ages.length })}</span>`
  const affected = ages.filter((age) => age.state === state).map(({ resource }) => watchedText(resource))
  return html`${stateBadge(state)} ${text(affected.join(', '))}`
}

function gone(): Html {
  return html`<span class="dim">${say('no longer in the configuration')}</span>`
}

function heldOf(lists: number): Html {
  return lists === 0 ? DASH : html`<strong>${sayCount(lists, ['{n} list', '{n} lists'])}</strong>`
}
