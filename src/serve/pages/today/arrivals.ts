import { html } from 'hono/html'
import { routeOf } from '../../../message/words/journey.ts'
import type { JsonObject } from '../../../model/json.ts'
import { trackingStatus } from '../../../model/shipment.ts'
import { dayOf, startOfDay } from '../../../model/zoned-day.ts'
import { visible } from '../../../printable.ts'
import type { RecordSummary } from '../../../store/ports/record-query-port.ts'
import { say, sayCount } from '../languages/say.ts'
import { shiftText } from '../parts/words.ts'
import { link, recordPath } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { text } from '../parts/text.ts'
import { day } from '../parts/time.ts'
import { viewer } from '../parts/viewer.ts'
import { leadOf } from '../records/record-lead.ts'
import { objectsOf } from '../records/record-objects.ts'
import type { View } from '../show-page.ts'

/** What arrives within seven days, the soonest first. */
export interface Arrivals {
  readonly first: readonly { readonly row: RecordSummary; readonly shipment: JsonObject | null }[]
  /** How many there are; of many, of how many there are more. */
  readonly amount: number
  readonly isMore: boolean
  /** The calendar dates of the first and the last day. */
  readonly days: readonly [from: string, to: string]
}

const DAYS = 7
/** How many are counted, and how many are shown. */
const MOST = 50
const SHOWN = 8
/** How many of many are read, because some of them may have arrived. */
const MOST_READ = 16

/** Shipments whose arrival is still to come, expected today or on one of the next seven days, on the clock of whoever looks. */
export async function arrivalsOf(view: View): Promise<Arrivals> {
  const { desk } = view
  const { timeZone } = viewer()
  // Where a simulated platform drives the calendar, it is that of all accounts.
  const today = dayOf(desk.clock.calendarNow(desk.accounts()[0]?.name ?? ''), timeZone)
  const [from, before] = [startOfDay(today, timeZone), startOfDay(today, timeZone, DAYS + 1)]
  const page = await desk.store.recordPage({
    resource: 'shipment',
    open: true,
    arrives: { from, before },
    order: { by: 'eta', isDescending: false },
    limit: MOST,
  })
  // How many they are is said roughly where they are many: then those are read that may be shown.
  const read = page.next === null ? page.items : page.items.slice(0, MOST_READ)
  const objects = await objectsOf('shipment', read, view)
  const toCome = page.items
    .map((row) => ({ row, shipment: objects.get(row) ?? null }))
    .filter(({ shipment }) => trackingStatus(shipment, 'arrival') !== 'actual')
  return {
    first: toCome.slice(0, SHOWN),
    amount: toCome.length,
    isMore: page.next !== null,
    days: [today, dayOf(before - 1, timeZone)],
  }
}

export function arrivalsSection({ amount, days, first, isMore }: Arrivals): Html {
  const [arrives_after, arrives_before] = days
  const all = link(
    { path: '/records/shipment', query: {} },
    { arrives_after, arrives_before, open: 'true', sort: 'eta' },
  )
  return panel({
    id: 'arrivals',
    title: 'Arrives within 7 days',
    live: 'event',
    aside: html`<a href="/reliability">${say('Who keeps their dates?')}</a>
      <a href="${all}"
        >${isMore ? say('More than {n} shipments', { n: amount }) : sayCount(amount, ['{n} shipment', '{n} shipments'])}</a
      >`,
    body:
      first.length === 0
        ? html`<p class="dim">${say('No shipment is expected to arrive within seven days.')}</p>`
        : html`<ul class="due">
            ${first.map(
              ({ row, shipment }) =>
                html`<li data-row data-key="${visible(`${row.account}/${row.id}`)}">
                  <span class="when">${row.etaAt === null ? null : day(row.etaAt)}</span>
                  <a href="${recordPath(row)}">${text(leadOf(row), 120)}</a>
                  <span class="dim small">${text(routeOf(shipment ?? undefined) ?? row.lane ?? '', 120)}</span>
                  <span class="amount small">${driftOf(row.drift)} ${statusOf(shipment)}</span>
                </li>`,
            )}
          </ul>`,
  })
}

/** How far the date went since it was first seen. */
function driftOf(drift: number | null): Html | null {
  if (drift === null || drift === 0) return null
  return badge(shiftText(drift), drift > 0 ? 'warning' : 'good')
}

function statusOf(shipment: JsonObject | null): Html | null {
  const status = trackingStatus(shipment, 'arrival')
  return status === null ? null : stateBadge(status)
}
