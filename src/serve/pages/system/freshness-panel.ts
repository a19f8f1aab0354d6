import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import { roughDuration } from '../../../report/delay.ts'
import { RECORD_OF, RESOURCES, WATCHABLES, type Watchable } from '../../../model/resource.ts'
import type { ReadAge, ReadAgeState } from '../../../report/read-age.ts'
import { shareBar } from '../charts/bar.ts'
import { accountPath } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table, type Column } from '../parts/table.ts'
import { DASH, sentence, text } from '../parts/text.ts'
import type { SystemFacts } from './system-data.ts'

interface Row {
  readonly account: string
  readonly ages: ReadonlyMap<Watchable, ReadAge>
}

/** Each account and resource: how old its oldest read is, beside what was promised. */
export function freshnessPanel({ status: { ages } }: SystemFacts): Html {
  const rows = [...Map.groupBy(ages, ({ account }) => account)].map(([account, own]): Row => ({
    account,
    ages: new Map(own.map((age) => [age.resource, age])),
  }))
  const watched = WATCHABLES.filter((resource) => ages.some((age) => age.resource === resource))
  return panel({
    id: 'freshness',
    title: 'Freshness',
    live: 'event delivery',
    aside: html`<span>${say('age of the oldest read, of what was promised')}</span>`,
    body: table<Row>({
      caption: 'How old the oldest read of each resource is, beside its promise',
      rows,
      key: ({ account }) => account,
      empty: sentence(say('No account is configured: `shipbell init` writes a configuration to begin with.')),
      columns: [
        { name: 'Account', cell: ({ account }) => html`<a href="${accountPath(account)}">${text(account)}</a>` },
        ...watched.map((resource): Column<Row> => ({
          name: RESOURCES[RECORD_OF[resource]].labels.many,
          cell: (row) => ageCell(row.ages.get(resource)),
        })),
      ],
    }),
  })
}

const WORDS: Readonly<Record<ReadAgeState, string>> = {
  fresh: '',
  grace: 'grace',
  late: 'late',
  unread: 'not read yet',
}
const TONES = { fresh: 'good', grace: 'warning', late: 'critical', unread: 'neutral' } as const

function ageCell(age: ReadAge | undefined): Html {
  if (age === undefined) return DASH
  const { ageMs, promiseMs, state } = age
  const promise = html`<span class="dim">${say('of {length}', { length: roughDuration(promiseMs) })}</span>`
  return html`<div class="age ${state}">
    <span class="row"
      >${ageMs === null ? null : html`<strong>${roughDuration(ageMs, Math.floor)}</strong>`} ${promise}
      ${state === 'fresh' ? html`<span class="unseen">${say('fresh')}</span>` : html`<span class="word">${say(WORDS[state])}</span>`}</span
    >
    ${shareBar((ageMs ?? 0) / promiseMs, TONES[state])}
  </div>`
}
