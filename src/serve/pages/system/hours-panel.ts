import { html } from 'hono/html'
import { say, sayCount } from '../languages/say.ts'
import type { EventHour } from '../../../store/ports/log-query-port.ts'
import { stackedBars } from '../charts/stacked-bars.ts'
import { link } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { hourText } from '../parts/time.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import type { SystemFacts } from './system-data.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
/** Types with a colour of their own; the rest share one. */
const MOST_SERIES = 5
const OTHERS = 'others'

interface Hour {
  readonly at: number
  readonly amounts: readonly number[]
}

/** How many events rang in each hour, by type. */
export function hoursPanel({ hours, since }: SystemFacts): Html {
  const series = seriesOf(hours)
  const rows = Array.from({ length: HOURS }, (_, nth) => hourOf(since + nth * HOUR_MS, hours, series))
  const total = hours.reduce((sum, { amount }) => sum + amount, 0)
  const label = say('{events} in the last {n} hours, by hour and type', { events: eventsText(total), n: HOURS })
  return panel({
    id: 'hours',
    title: 'Events by hour',
    live: 'event',
    aside: html`<span>${say('{events} in {n} hours', { events: eventsText(total), n: HOURS })}</span>`,
    body:
      total === 0
        ? html`<div class="empty">${say('No event in the last {n} hours.', { n: HOURS })}</div>`
        : html`${stackedBars({ label, series, columns: rows.map(({ amounts, at }) => ({ name: hourText(at), amounts })) })}
            <p class="axis small dim" aria-hidden="true"><span>${hourText(since)}</span><span>${say('now')}</span></p>
            <ul class="legend">
              ${series.map((name, nth) => html`<li class="series-${nth + 1}">${typeLink(name)}</li>`)}
            </ul>
            <details>
              <summary>${say('As a table')}</summary>
              ${hoursTable(rows, series)}
            </details>`,
  })
}

/** The types that rang most, and what stands for all others. */
function seriesOf(hours: readonly EventHour[]): readonly string[] {
  const totals = [...Map.groupBy(hours, ({ type }) => type)].map(([type, own]) => ({ type, total: sumOf(own) }))
  const names = totals.toSorted((a, b) => b.total - a.total).map(({ type }) => type)
  return names.length <= MOST_SERIES ? names : [...names.slice(0, MOST_SERIES), OTHERS]
}

function hourOf(at: number, hours: readonly EventHour[], series: readonly string[]): Hour {
  const own = hours.filter(({ hour }) => hour === at)
  const named = new Set(series)
  const amounts = series.map((name) =>
    sumOf(own.filter(({ type }) => (name === OTHERS ? !named.has(type) : type === name))),
  )
  return { at, amounts }
}

function hoursTable(rows: readonly Hour[], series: readonly string[]): Html {
  return table<Hour>({
    caption: 'Events by hour and type',
    rows: rows.toReversed(),
    empty: html`${say('None.')}`,
    columns: [
      { name: 'Hour', cell: ({ at }) => hourText(at) },
      ...series.map((name, nth) => ({ name, kind: 'number' as const, cell: ({ amounts }: Hour) => amounts[nth] ?? 0 })),
    ],
  })
}

function typeLink(name: string): Html {
  return name === OTHERS
    ? html`${say(OTHERS)}`
    : html`<a href="${link({ path: '/events', query: { type: [name] } })}">${name}</a>`
}

function eventsText(n: number): string {
  return sayCount(n, ['{n} event', '{n} events'])
}

function sumOf(hours: readonly EventHour[]): number {
  return hours.reduce((sum, { amount }) => sum + amount, 0)
}
