import { html } from 'hono/html'
import { COUNTED_MS, type Reliability } from '../../../model/reliability.ts'
import { laneText } from '../../../message/words/port.ts'
import { listedLane, readLaneKey } from '../../../model/lane.ts'
import { roughDuration } from '../../../report/delay.ts'
import {
  leastReliable,
  RELIABILITY_ORDERS,
  type ReliabilityOrder,
  sortedReliability,
} from '../../../report/reliability.ts'
import { shareBar, shiftBar } from '../charts/bar.ts'
import { say, sayAround, sayCount } from '../languages/say.ts'
import { link, PLACE, valueOf, type Address } from '../parts/address.ts'
import { FieldProblem } from '../parts/field-problems.ts'
import { filterForm, filtersInForce, type FilterField } from '../parts/filters.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { accountOf, oneOf } from '../parts/query.ts'
import { partOf } from '../parts/whole-list.ts'
import { sortBy } from '../parts/sorting.ts'
import { table, type Column } from '../parts/table.ts'
import { text } from '../parts/text.ts'
import { recordTabs } from '../records/record-tabs.ts'
import type { View } from '../show-page.ts'

const USUAL_ORDER = '-n'

type By = 'carrier' | 'lane'

interface Asked {
  readonly by: By
  readonly carrier: string | null
  readonly lane: string | null
  readonly order: ReliabilityOrder | `-${ReliabilityOrder}`
}

/** What the page is about, in its order: all of it. */
export async function reliabilityOf({ address, desk, now }: View): Promise<readonly Reliability[]> {
  const { by, carrier, lane, order } = askedOf(address)
  const account = accountOf(address)
  const found = await desk.store.reliability({
    by,
    since: now - COUNTED_MS,
    ...(account !== null && { account }),
    ...(carrier !== null && { carrier }),
    ...(lane !== null && { lane }),
  })
  return sortedReliability(found, order)
}

/** `/reliability?by=carrier`: how well the dates of arrivals were kept, by carrier or by lane. */
export async function reliabilityPage(view: View): Promise<Page> {
  const { address } = view
  const asked = askedOf(address)
  const { by } = asked
  const found = await reliabilityOf(view)
  const { next, rows } = partOf(address, found)
  const body = html`<div class="head">
      <h1>${say('Reliability')}</h1>
      ${recordTabs('reliability')}
    </div>
    <nav class="tabs" aria-label="${say('By')}">${switches(by, address)}</nav>
    ${filterForm(address, fieldsFor(view, asked))} ${filtersInForce(address, ['account', 'carrier', 'lane'])}
    ${worstLine(found, by)}
    ${panel({
      id: 'reliability',
      title: by === 'carrier' ? 'Arrivals of the last 180 days by carrier' : 'Arrivals of the last 180 days by lane',
      aside: html`<span>${sayCount(sumOf(found), ['{n} arrival', '{n} arrivals'])}</span>
        <a href="${link(address, { ...PLACE, format: 'csv' })}" download>CSV</a>`,
      body: html`${table({
        caption: by === 'carrier' ? 'How well dates were kept, by carrier' : 'How well dates were kept, by lane',
        columns: columnsOf(by, address, rows),
        rows,
        key: ({ key }) => key,
        empty: emptyState(address),
      })}
      ${pager(address, next)}`,
    })}
    <p class="small dim">${say(HOW)}</p>`
  return { title: say('Reliability'), under: 'Shipments', body }
}

function sumOf(found: readonly Reliability[]): number {
  return found.reduce((sum, { n }) => sum + n, 0)
}

/** The orders in the language of whoever looks. */
const sorts = () => [
  { value: 'within_day_of_first', label: say('Least on time first') },
  { value: '-median_drift_minutes', label: say('Latest first') },
  { value: 'key', label: say('By name') },
]

const HOW =
  'Counted are shipments that arrived within the last 180 days and of which an event had told a date before, each once. On time is an arrival at most 24 hours before or after that date. The drift is the actual arrival less the date that was told first. What was learnt in silence, such as the first reading of all, was told to nobody.'

function askedOf(address: Address): Asked {
  const orders = RELIABILITY_ORDERS.flatMap((each) => [each, `-${each}` as const])
  return {
    by: oneOf(address, 'by', ['carrier', 'lane']) ?? 'carrier',
    carrier: valueOf(address, 'carrier'),
    lane: laneOf(address),
    order: oneOf(address, 'sort', orders) ?? USUAL_ORDER,
  }
}

function laneOf(address: Address): string | null {
  const value = valueOf(address, 'lane')
  const key = value === null ? null : readLaneKey(value)
  if (value !== null && key === null) {
    const what = JSON.stringify(value.slice(0, 60))
    throw new FieldProblem(
      'lane',
      say('{value} is no lane: give two UN/LOCODEs, such as CNSHA-NLRTM.', { value: what }),
    )
  }
  return key
}

function switches(by: By, address: Address): readonly Html[] {
  const names = { carrier: 'By carrier', lane: 'By lane' } as const
  return (['carrier', 'lane'] as const).map(
    (each) =>
      html`<a
        href="${link(address, { ...PLACE, by: each, [each]: null })}"
        ${each === by ? html`aria-current="page"` : null}
        >${say(names[each])}</a
      >`,
  )
}

function fieldsFor({ desk }: View, { by }: Asked): readonly FilterField[] {
  const accounts = desk.accounts().map(({ name }) => ({ value: name, label: name }))
  return [
    { kind: 'hidden', name: 'by', value: by },
    { kind: 'text', name: 'carrier', label: 'Carrier', hint: 'As records name it' },
    {
      kind: 'text',
      name: 'lane',
      label: 'Lane',
      hint: 'Shanghai - Rotterdam',
    },
    { kind: 'choice', name: 'sort', label: 'Sort', choices: sorts(), usual: 'Most arrivals first' },
    ...(accounts.length > 1 ? [{ kind: 'choice', name: 'account', label: 'Account', choices: accounts } as const] : []),
  ]
}

function worstLine(found: readonly Reliability[], by: By): Html {
  const worst = leastReliable(found)
  if (worst === null) return html``
  const { key, n, nearFirst } = worst
  return html`<p class="any-break">
    ${sayAround('Least reliable: {name}, {part} of {n} arrivals within a day of the date that was told first.', {
      name: html`<strong>${keyText(by, key)}</strong>`,
      part: nearFirst,
      n,
    })}
  </p>`
}

function keyText(by: By, key: string): Html {
  return text(by === 'lane' ? laneText(listedLane(key)) : key, 100)
}

function columnsOf(by: By, address: Address, rows: readonly Reliability[]): readonly Column<Reliability>[] {
  const most = Math.max(...rows.map(({ medianDriftMinutes }) => Math.abs(medianDriftMinutes)), 1)
  const sorted = (name: ReliabilityOrder, isLargestFirst = false) =>
    sortBy(address, name, { isLargestFirst, usual: USUAL_ORDER })
  const other = by === 'carrier' ? 'lane' : 'carrier'
  const onward = (key: string): string => link(address, { ...PLACE, by: other, [by]: key, [other]: null })
  return [
    {
      name: by === 'carrier' ? 'Carrier' : 'Lane',
      kind: 'wide',
      sort: sorted('key'),
      cell: ({ key }) => {
        // Records may name ports by any text; nobody could ask for such a lane.
        if (by === 'lane' && readLaneKey(key) === null) return keyText(by, key)
        const title = say(by === 'carrier' ? 'Its lanes' : 'Its carriers')
        return html`<a href="${onward(key)}" title="${title}">${keyText(by, key)}</a>`
      },
    },
    { name: 'Arrivals', kind: 'number', sort: sorted('n', true), cell: ({ n }) => n },
    {
      name: 'On time by the first date',
      kind: 'short',
      sort: sorted('within_day_of_first'),
      cell: ({ n, nearFirst }) => shareOf(nearFirst, n),
    },
    {
      name: 'By the last date',
      kind: 'short',
      sort: sorted('within_day_of_last'),
      cell: ({ n, nearLast }) => shareOf(nearLast, n),
    },
    {
      name: 'Median drift',
      kind: 'short',
      sort: sorted('median_drift_minutes', true),
      cell: ({ medianDriftMinutes }) => html`${driftText(medianDriftMinutes)} ${shiftBar(medianDriftMinutes, most)}`,
    },
  ]
}

function shareOf(part: number, n: number): Html {
  const share = part / n
  const tone = share >= 0.8 ? 'good' : share >= 0.5 ? 'warning' : 'critical'
  return html`<span>${say('{part} of {n}', { part, n })}</span>
    <span class="dim">${Math.round(share * 100)} %</span> ${shareBar(share, tone)}`
}

function driftText(minutes: number): string {
  if (Math.abs(minutes) < 1) return say('on the minute')
  const length = roughDuration(Math.abs(minutes) * 60_000)
  return minutes > 0 ? say('{length} later', { length }) : say('{length} earlier', { length })
}

function emptyState(address: Address): Html {
  const isFiltered = ['account', 'carrier', 'lane'].some((name) => valueOf(address, name) !== null)
  if (isFiltered)
    return html`${say('No arrival of the last 180 days matches.')} <a href="/reliability">${say('Show all')}</a>`
  return html`${say('No shipment has arrived yet of which a date was told before.')}`
}
