import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { amountText, say, sayAround } from '../languages/say.ts'
import { watchedText } from '../parts/words.ts'
import { watchedIn, type AccountSettings } from '../../../model/account.ts'
import { RECORD_OF, watchedAs, type Watchable } from '../../../model/resource.ts'
import { incompleteOf, refusalOf } from '../../../report/account.ts'
import { roughDuration } from '../../../report/delay.ts'
import type { Freshness } from '../../../report/freshness.ts'
import { readAges, type ReadAge } from '../../../report/read-age.ts'
import type { AccountOverview, ListOverview } from '../../../store/ports/query-port.ts'
import { shareBar } from '../charts/bar.ts'
import { link } from '../parts/address.ts'
import { stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { DASH, sentence, text } from '../parts/text.ts'
import { ago } from '../parts/time.ts'
import type { View } from '../show-page.ts'

export interface Reads {
  readonly overview: AccountOverview | undefined
  readonly settings: AccountSettings | undefined
  readonly fresh: Freshness | undefined
}

interface Row {
  readonly watch: Watchable
  readonly list: ListOverview | undefined
  readonly age: ReadAge | undefined
}

const TONES = { fresh: 'good', grace: 'warning', late: 'critical', unread: 'neutral' } as const

/** The lists of an account: what was read when, beside what was promised. */
export function readsPanel({ fresh, overview, settings }: Reads, { now }: View): Html {
  const ages = settings === undefined ? [] : readAges(settings, overview, now)
  const watched = settings === undefined ? [] : watchedIn(settings.watch).map(([watch]) => watch)
  const known = overview?.lists.map(({ resource }) => watchedAs(resource)) ?? []
  const rows = [...new Set([...watched, ...known])].map((watch): Row => ({
    watch,
    list: overview?.lists.find(({ resource }) => resource === RECORD_OF[watch]),
    age: ages.find(({ resource }) => resource === watch),
  }))
  const delay = ({ watch }: Row): Html => {
    const own = fresh?.resources.find(({ resource }) => resource === RECORD_OF[watch])
    return own?.achieved == null
      ? DASH
      : html`${roughDuration(own.achieved.meanMs)} <span class="dim">${say('over {n}', { n: own.changes })}</span>`
  }
  return panel({
    id: 'reads',
    title: 'What is read',
    live: 'event delivery',
    body: table<Row>({
      caption: 'Lists of the account',
      rows,
      key: ({ watch }) => watch,
      columns: [
        { name: 'Resource', cell: (row) => recordsLink(row, overview) },
        { name: 'Oldest read, of its promise', kind: 'wide', cell: ageOf },
        { name: 'Records', kind: 'number', cell: ({ list }) => amountText(list?.records ?? 0) },
        { name: 'Passes', kind: 'number', cell: ({ list }) => passes(list) },
        {
          name: 'Last whole pass',
          kind: 'number',
          cell: ({ list }) => wholePass(list, now),
        },
        { name: 'Changes seen after', kind: 'number', cell: delay },
        { name: 'The key', cell: ({ list }) => refusal(list, overview) },
      ],
      empty: sentence(say('Nothing is watched: name what is to be read under `watch`.')),
    }),
  })
}

function recordsLink({ watch }: Row, overview: AccountOverview | undefined): Html {
  const href = link({ path: `/records/${RECORD_OF[watch]}`, query: {} }, { account: overview?.account ?? null })
  return html`<a href="${href}">${watchedText(watch)}</a>`
}

function ageOf({ age }: Row): Html {
  if (age === undefined) return html`<span class="dim">${say('no longer watched')}</span>`
  const { ageMs, promiseMs, state } = age
  return html`<span class="row">
      ${ageMs === null ? null : html`<strong>${roughDuration(ageMs, Math.floor)}</strong>`}
      <span class="dim">${say('of {length}', { length: roughDuration(promiseMs) })}</span>
      ${state === 'fresh' ? null : stateBadge(state === 'unread' ? 'not read yet' : state)}
    </span>
    ${shareBar((ageMs ?? 0) / promiseMs, TONES[state])}`
}

function passes(list: ListOverview | undefined): Html {
  if (list === undefined) return DASH
  return html`${amountText(list.pass)}${list.baselinedAt === null ? html` <span class="dim">${say('no baseline yet')}</span>` : null}`
}

/** When a list was last read whole, and why it is not any more. */
function wholePass(list: ListOverview | undefined, now: number): Html {
  if (list === undefined) return DASH
  const at = list.completedAt === null ? DASH : ago(list.completedAt, now)
  const incomplete = incompleteOf(list)
  return incomplete === null
    ? at
    : html`${at} <strong>${sayAround('not read whole: {why}', { why: text(retold(incomplete.reason), 300) })}</strong>`
}

function refusal(list: ListOverview | undefined, overview: AccountOverview | undefined): Html {
  if (list === undefined || overview === undefined) return DASH
  const refused = refusalOf(overview, list)
  return refused === null
    ? html`<span class="dim">${say('may|read')}</span>`
    : html`<strong>${sayAround('may not: {why}', { why: text(retold(refused.reason), 300) })}</strong>`
}
