import { html } from 'hono/html'
import { laneText } from '../../../message/words/port.ts'
import { listedLane, readLaneKey } from '../../../model/lane.ts'
import { isClosed } from '../../../model/shipment.ts'
import {
  type ArrivalKeys,
  arrivalKeys,
  type ArrivalTelling,
  type ToldArrival,
  toldArrival,
} from '../../../model/told-arrival.ts'
import { type ArrivalWindow, arrivalWindow } from '../../../report/arrival-window.ts'
import type { RecordDetail } from '../../../store/ports/record-query-port.ts'
import { say, sayAround } from '../languages/say.ts'
import { shiftText } from '../parts/words.ts'
import type { Html } from '../parts/markup.ts'
import { facts, panel, type Fact } from '../parts/panel.ts'
import { text } from '../parts/text.ts'
import { ago, day, instant } from '../parts/time.ts'
import type { View } from '../show-page.ts'

/** Past arrivals that are looked at: of some of them nothing was told as long before. */
const MOST_LOOKED_AT = 400
const MINUTE_MS = 60_000

type By = 'carrier' | 'lane'

/** What was told of the arrival of a shipment beside what became of it, or what past arrivals say; nothing where nothing was told. */
export async function arrivalPanel(record: RecordDetail, view: View): Promise<Html> {
  const arrival = toldArrival(record.dates.arrival ?? [])
  const [first, last] = [arrival.told[0], arrival.told.at(-1)]
  if (first === undefined || last === undefined) return html``
  const keys = arrivalKeys(record.object)
  return panel({
    id: 'arrival',
    title: 'Arrival',
    live: 'event',
    aside: links(keys),
    body: html`${facts(factsOf(arrival, { first, last, now: view.now }))}
    ${isToCome(record) ? await windowLines(record.account, { keys, last }, view) : null}`,
  })
}

interface Outermost {
  readonly first: ArrivalTelling
  readonly last: ArrivalTelling
  readonly now: number
}

function factsOf({ actual, told }: ToldArrival, { first, last, now }: Outermost): readonly Fact[] {
  const telling = ({ at, date }: ArrivalTelling): Html =>
    html`${instant(date)}<br /><span class="dim small">${sayAround('told {ago}', { ago: ago(at, now) })}</span>`
  const before: readonly Fact[] =
    told.length === 1
      ? [{ label: 'Told once', value: telling(first) }]
      : [
          { label: 'First told', value: telling(first) },
          { label: 'Last told', value: telling(last) },
        ]
  if (actual === null) return before
  const [byFirst, byLast] = [drift(actual.arrivedAt - first.date), drift(actual.arrivedAt - last.date)]
  const drifted =
    told.length === 1
      ? say('{first} than first told', { first: byFirst })
      : say('{first} than first told, {last} than last told', { first: byFirst, last: byLast })
  return [...before, { label: 'Arrived', value: instant(actual.arrivedAt) }, { label: 'Drift', value: drifted }]
}

function drift(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS)
  return minutes === 0 ? say('no later') : shiftText(minutes)
}

function isToCome({ dates, object, removedAt }: RecordDetail): boolean {
  const hasArrived = dates.arrival?.at(-1)?.status === 'actual'
  return !hasArrived && removedAt === null && object !== null && !isClosed(object)
}

interface Asked {
  readonly keys: ArrivalKeys
  readonly last: ArrivalTelling
}

/** The window by the carrier, else by the lane: windows by carriers held more often. Nothing where neither has enough arrivals. */
async function windowLines(account: string, { keys, last }: Asked, { desk, now }: View): Promise<Html> {
  for (const by of ['carrier', 'lane'] as const) {
    const key = keys[by]
    if (key === '') continue
    const arrivals = await desk.store.pastArrivals({ account, by, key, limit: MOST_LOOKED_AT })
    const found = arrivalWindow({ at: now, date: last.date }, arrivals)
    if (found.window !== null) return windowLine(found, { by, key, now })
  }
  return html``
}

const BY_CARRIER = '80 % of {n} arrivals by {whose} after the same lead time fell between {from} and {to}.'
const ON_LANE = '80 % of {n} arrivals on {whose} after the same lead time fell between {from} and {to}.'

function windowLine(
  { n, window }: ArrivalWindow,
  { by, key, now }: { readonly by: By; readonly key: string; readonly now: number },
): Html {
  if (window === null) return html``
  const { from, to } = window
  return html`<p class="any-break">
    ${sayAround(by === 'carrier' ? BY_CARRIER : ON_LANE, {
      n,
      whose: text(by === 'carrier' ? key : laneText(listedLane(key))),
      from: html`<strong>${day(from)}</strong>`,
      to: html`<strong>${day(to)}</strong>`,
    })}
    ${pastWords(window, now)}
  </p>`
}

/** Arrivals are recorded late, so that a window may have begun. */
function pastWords({ from, to }: NonNullable<ArrivalWindow['window']>, now: number): string | null {
  if (to < now) return say('All of that is past: it is later than most, or not recorded yet.')
  return from < now ? say('It has begun: the shipment may have arrived and not be recorded yet.') : null
}

function links({ carrier, lane }: ArrivalKeys): Html | null {
  const ofLane =
    readLaneKey(lane) === null
      ? null
      : html`<a href="${reliabilityPath({ by: 'carrier', lane })}">${say('Carriers of this lane')}</a>`
  const ofCarrier =
    carrier === ''
      ? null
      : html`<a href="${reliabilityPath({ by: 'lane', carrier })}">${say('Lanes of this carrier')}</a>`
  return ofLane === null && ofCarrier === null ? null : html`${ofLane} ${ofCarrier}`
}

function reliabilityPath(query: Readonly<Record<string, string>>): string {
  return `/reliability?${new URLSearchParams(query).toString()}`
}
