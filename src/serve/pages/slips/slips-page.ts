import { html } from 'hono/html'
import { laneText } from '../../../message/words/port.ts'
import { roughDuration } from '../../../report/delay.ts'
import type { SlipQuery } from '../../../store/ports/record-query-port.ts'
import { shiftBar } from '../charts/bar.ts'
import { say, sayAround, sayCount } from '../languages/say.ts'
import { daysText, wordText } from '../parts/words.ts'
import { link, PLACE, recordPath, valueOf, type Address } from '../parts/address.ts'
import { FieldProblem } from '../parts/field-problems.ts'
import { filterBy, filterForm, filtersInForce, type FilterField } from '../parts/filters.ts'
import type { Page } from '../parts/layout.ts'
import type { Content, Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { accountOf } from '../parts/query.ts'
import { table, type Column } from '../parts/table.ts'
import { DASH, text } from '../parts/text.ts'
import { ago, day } from '../parts/time.ts'
import { recordTabs } from '../records/record-tabs.ts'
import type { View } from '../show-page.ts'
import { byShipment, movedAtOf, type ShipmentSlips } from './shipment-slips.ts'
import { slipGroups } from './slip-groups.ts'

const ROWS = 50
/** How many of the largest slips say where dates move. */
const LOOKED_AT = 200
const FILTERS = ['account', 'carrier', 'lane'] as const
const PERIODS = ['1', '7', '30'] as const
const DAY_MS = 86_400_000
const USUAL_DAYS = 7

/** `/slips?days=7`: the dates of shipments that moved most, later or earlier, the largest drift first. */
export async function slipsPage(view: View): Promise<Page> {
  const { address, desk, now } = view
  const days = daysOf(address)
  const query = queryOf(address, now - days * DAY_MS)
  const cursor = valueOf(address, 'cursor')
  const [part, largest] = await Promise.all([
    desk.store.slips({ ...query, limit: ROWS, ...(cursor === null ? {} : { cursor }) }),
    desk.store.slips({ ...query, limit: LOOKED_AT }),
  ])
  const body = html`<div class="head">
      <h1>${say('Slips')}</h1>
      ${recordTabs('slips')}
    </div>
    <div class="row">${periods(days, address)}</div>
    ${filterForm(address, fieldsFor(view, days))} ${filtersInForce(address, FILTERS)}
    ${panel({
      id: 'slips',
      title: html`${sayCount(days, ['Moved in the last {n} day', 'Moved in the last {n} days'])}`,
      live: 'event',
      aside: html`<span>${say('largest drift first, later or earlier')}</span>`,
      body: html`${table({
        caption: 'Dates that moved',
        columns: columnsOf(view, Math.max(...largest.items.map(({ driftMinutes }) => Math.abs(driftMinutes)), 1)),
        rows: byShipment(part.items),
        key: ({ largest: { account, milestone, shipment } }) => `${account}/${shipment}/${milestone}`,
        empty: emptyState(address),
      })}
      ${pager(address, part.next)}`,
    })}
    ${slipGroups(largest, address)}`
  return { title: say('Slips'), under: 'Shipments', body }
}

function daysOf(address: Address): number {
  const given = valueOf(address, 'days')
  if (given === null) return USUAL_DAYS
  if (/^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= 365) return Number(given)
  throw new FieldProblem('days', say('It must be a number of days from 1 to 365.'))
}

function queryOf(address: Address, since: number): Omit<SlipQuery, 'limit'> {
  const chosen = FILTERS.flatMap((name) => {
    const value = name === 'account' ? accountOf(address) : valueOf(address, name)
    return value === null ? [] : [[name, value] as const]
  })
  return { since, ...Object.fromEntries(chosen) }
}

function periods(days: number, address: Address): Html {
  return html`<nav class="tabs" aria-label="${say('Period')}">
    ${PERIODS.map(
      (each) =>
        html`<a
          href="${link(address, { ...PLACE, days: each })}"
          ${Number(each) === days ? html`aria-current="page"` : null}
          >${daysText(Number(each))}</a
        >`,
    )}
  </nav>`
}

function fieldsFor({ desk }: View, days: number): readonly FilterField[] {
  const accounts = desk.accounts().map(({ name }) => ({ value: name, label: name }))
  return [
    { kind: 'hidden', name: 'days', value: String(days) },
    { kind: 'search', name: 'carrier', label: 'Carrier', hint: 'As the platform writes it' },
    { kind: 'search', name: 'lane', label: 'Lane', hint: 'Shanghai - Rotterdam' },
    ...(accounts.length > 1 ? [{ kind: 'choice', name: 'account', label: 'Account', choices: accounts } as const] : []),
  ]
}

function columnsOf({ address, desk, now }: View, most: number): readonly Column<ShipmentSlips>[] {
  const narrow = (name: string, value: string | null, shown = value): Content =>
    value === null ? DASH : filterBy(address, { name, value }, text(shown ?? value, 60))
  return [
    { name: 'Shipment', kind: 'wide', cell: shipmentOf },
    { name: 'Date', cell: ({ largest: { milestone } }) => wordText(milestone) },
    { name: 'First', cell: ({ largest: { first } }) => day(first) },
    { name: 'Now', cell: ({ largest }) => day(largest.now) },
    {
      name: 'Drift',
      kind: 'short',
      cell: ({ largest: { driftMinutes } }) => html`${driftText(driftMinutes)} ${shiftBar(driftMinutes, most)}`,
    },
    { name: 'Revisions', kind: 'number', beside: true, cell: ({ largest: { revisions } }) => revisions },
    {
      name: 'Carrier, lane',
      kind: 'roomy',
      beside: true,
      cell: ({ largest: { carrier, lane } }) =>
        html`${narrow('carrier', carrier)}<br />${narrow('lane', lane, lane && laneText(lane))}`,
    },
    ...(desk.accounts().length > 1
      ? [
          {
            name: 'Account',
            beside: true,
            cell: ({ largest: { account } }: ShipmentSlips) => narrow('account', account),
          } as const,
        ]
      : []),
    { name: 'Moved', cell: (slips) => ago(movedAtOf(slips), now) },
  ]
}

function shipmentOf({ largest: { account, name, shipment }, others }: ShipmentSlips): Html {
  const path = recordPath({ account, resource: 'shipment', id: shipment })
  const said = others.map(({ driftMinutes, milestone }) => html`${wordText(milestone)} ${driftText(driftMinutes)}`)
  return html`<a href="${path}#dates">${text(name ?? shipment)}</a>
    ${name === null || name === shipment ? null : html`<span class="dim small">${text(shipment)}</span>`}
    ${said.length === 0 ? null : html`<div class="small dim">${sayAround('also {others}', { others: html`${said.map((each, nth) => html`${nth === 0 ? null : ', '}${each}`)}` })}</div>`}`
}

function driftText(minutes: number): Html {
  if (minutes === 0) return html`<span class="dim">${say('back again')}</span>`
  const length = { length: html`<strong>${roughDuration(Math.abs(minutes) * 60_000)}</strong>` }
  return minutes > 0 ? sayAround('{length} later', length) : sayAround('{length} earlier', length)
}

function emptyState(address: Address): Html {
  const isFiltered = FILTERS.some((name) => valueOf(address, name) !== null)
  if (isFiltered) return html`${say('No date moved that matches.')} <a href="/slips">${say('Show all')}</a>`
  return html`${say('No date moved in this time.')}
    <a href="${link(address, { days: '30' })}">${say('Look at 30 days')}</a>`
}
