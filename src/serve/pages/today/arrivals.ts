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

/** A shipment with what was read of it last; null: nothing is known. */
interface Arriving {
  readonly row: RecordSummary
  readonly shipment: JsonObject | null
}

/** What arrives within seven days, the soonest first. */
export interface Arrivals {
  readonly first: readonly Arriving[]
  /** How many there are; of many, of how many there are more. */
  readonly amount: number
  readonly isMore: boolean
  /** The calendar dates of the first and the last day. */
  readonly days: readonly [from: string, to: string]
}

const DAYS = 7
/** How many are listed at once, and how many are shown. */
const MOST = 50
const SHOWN = 8
/** How many are read at once, and how many at most are looked at for some that have not arrived. */
const READ_AT_ONCE = 16
const MOST_LOOKED_AT = 200

/** Shipments whose arrival is still to come, expected today or on one of the next seven days, on the clock of whoever looks. */
export async function arrivalsOf(view: View): Promise<Arrivals> {
  const { desk } = view
  const { timeZone } = viewer()
  // Where a simulated platform drives the calendar, it is that of all accounts.
  const today = dayOf(desk.clock.calendarNow(desk.accounts()[0]?.name ?? ''), timeZone)
  const [from, before] = [startOfDay(today, timeZone), startOfDay(today, timeZone, DAYS + 1)]
  return { ...(await toComeWithin({ from, before }, view)), days: [today, dayOf(before - 1, timeZone)] }
}

/** Shipments that have not arrived. Of many only so many are read as are shown, and how many they are is said roughly. */
async function toComeWithin(
  arrives: { readonly from: number; readonly before: number },
  view: View,
): Promise<Omit<Arrivals, 'days'>> {
  const order = { by: 'eta', isDescending: false } as const
  const asked = { resource: 'shipment', open: true, arrives, order, limit: MOST } as const
  const toCome: Arriving[] = []
  let unread = 0
  let next: string | null | undefined
  for (let looked = 0; next !== null && toCome.length < SHOWN && looked < MOST_LOOKED_AT; looked += MOST) {
    const page = await view.desk.store.recordPage({ ...asked, ...(next !== undefined && { cursor: next }) })
    next = page.next
    for (let at = 0; at < page.items.length; at += READ_AT_ONCE) {
      const rows = page.items.slice(at, at + READ_AT_ONCE)
      if (next !== null && toCome.length >= SHOWN) unread += rows.length
      else toCome.push(...(await notArrived(rows, view)))
    }
  }
  return { first: toCome.slice(0, SHOWN), amount: toCome.length + unread, isMore: next !== null }
}

async function notArrived(rows: readonly RecordSummary[], view: View): Promise<readonly Arriving[]> {
  const objects = await objectsOf('shipment', rows, view)
  return rows
    .map((row) => ({ row, shipment: objects.get(row) ?? null }))
    .filter(({ shipment }) => trackingStatus(shipment, 'arrival') !== 'actual')
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
