import { html } from 'hono/html'
import { laneText } from '../../../message/words/port.ts'
import { roughDuration } from '../../../report/delay.ts'
import type { Page as ListPart } from '../../../model/page.ts'
import type { Slip } from '../../../store/ports/record-query-port.ts'
import { capitalised, say } from '../languages/say.ts'
import { filterBy } from '../parts/filters.ts'
import type { Address } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { text } from '../parts/text.ts'

interface Group {
  readonly value: string
  readonly later: number
  readonly earlier: number
  /** The mean of all slips of the group; earlier ones count against later ones. */
  readonly meanMinutes: number
}

const MOST = 6
const TITLES = {
  carrier: { title: 'By carrier', caption: 'Slips by carrier' },
  lane: { title: 'By lane', caption: 'Slips by lane' },
  account: { title: 'By account', caption: 'Slips by account' },
} as const

/** Where the largest slips are: by account, carrier and lane, the most of them first. */
export function slipGroups({ items, next }: ListPart<Slip>, address: Address): Html {
  if (items.length === 0) return html``
  const n = items.length
  const of = next === null ? say('of {n}', { n }) : say('of the {n} largest', { n })
  const panels = (['carrier', 'lane', 'account'] as const).map((name) =>
    panel({
      id: `by-${name}`,
      title: TITLES[name].title,
      aside: html`<span>${of}</span>`,
      body: table<Group>({
        caption: TITLES[name].caption,
        rows: groupsOf(items, (slip) => slip[name]),
        empty: html`${say('The platform names none.')}`,
        columns: [
          {
            name: capitalised(name),
            kind: 'wide',
            cell: ({ value }) =>
              filterBy(address, { name, value }, text(name === 'lane' ? laneText(value) : value, 60)),
          },
          { name: 'Later', kind: 'number', cell: ({ later }) => later },
          { name: 'Earlier', kind: 'number', cell: ({ earlier }) => earlier },
          { name: 'Mean drift', kind: 'number', cell: ({ meanMinutes }) => meanText(meanMinutes) },
        ],
      }),
    }),
  )
  return html`<div class="columns">${panels}</div>`
}

function groupsOf(slips: readonly Slip[], valueOf: (slip: Slip) => string | null): readonly Group[] {
  const named = slips.filter((slip) => valueOf(slip) !== null)
  return [...Map.groupBy(named, (slip) => valueOf(slip) ?? '')]
    .map(([value, group]) => ({
      value,
      later: group.filter(({ driftMinutes }) => driftMinutes > 0).length,
      earlier: group.filter(({ driftMinutes }) => driftMinutes < 0).length,
      meanMinutes: group.reduce((total, { driftMinutes }) => total + driftMinutes, 0) / group.length,
    }))
    .toSorted((a, b) => b.later + b.earlier - a.later - a.earlier)
    .slice(0, MOST)
}

function meanText(minutes: number): string {
  if (Math.abs(minutes) < 1) return '0'
  return `${minutes > 0 ? '+' : '−'}${roughDuration(Math.abs(minutes) * 60_000)}`
}
