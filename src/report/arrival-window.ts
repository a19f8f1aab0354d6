/** With fewer arrivals there is no window. */
export const LEAST_ARRIVALS = 20
/** A window is made of so many arrivals, those that were recorded last: a carrier has any number of them. */
const MOST_ARRIVALS = 200
/** A year of all seasons. Arrivals recorded earlier count only while the newer ones are fewer than `LEAST_ARRIVALS`. */
const RECENT_MS = 365 * 86_400_000
/** One arrival in ten comes before the window and one in ten behind it. */
const ONE_OUT_OF = 10

/** A date that was told of an arrival, and since when. */
interface Telling {
  readonly date: number
  readonly at: number
}

/** A past arrival of one carrier or lane. */
export interface PastArrival {
  /** The dates that were told before it, earliest told first. */
  readonly told: readonly Telling[]
  readonly arrivedAt: number
  /** When the arrival became known. */
  readonly recordedAt: number
}

/** The instants between which an arrival is expected, both included. */
interface Window {
  readonly from: number
  readonly to: number
}

/** What past arrivals say of the next one. */
export interface ArrivalWindow {
  /** Past arrivals that the window is made of; without a window, those that there are. */
  readonly n: number
  /** Null: there are fewer than `LEAST_ARRIVALS`, or the date that was told is not ahead any more. */
  readonly window: Window | null
}

/**
 * How much later an arrival came than the date that was told when that date was `leadMs` away. Null: it was known by then, or no
 * date was told at such a moment.
 */
function driftAfterLead({ arrivedAt, recordedAt, told }: PastArrival, leadMs: number): number | null {
  const then = told.find(({ at, date }, place) => {
    const moment = date - leadMs
    return at <= moment && moment < Math.min(told[place + 1]?.at ?? recordedAt, recordedAt)
  })
  return then === undefined ? null : arrivedAt - then.date
}

/**
 * The window of a shipment that is not known to have arrived: `told` is the date that is told of it, `at` a moment. `arrivals` are
 * those of its carrier or lane that were recorded before, newest recorded first. They are chosen by when they were recorded, not by
 * when they were due: of those due lately the late ones are not known yet. The ranks are those of split conformal prediction: where
 * the next arrival is like the past ones, the chance that it comes before the window is at most a tenth, as is the chance that it
 * comes behind it, however few they are. A window may begin before the moment, because arrivals are recorded late. Overdue shipments
 * get none: a week after the date that was told, windows of real ones held 70 % (`test/bench/README.md`).
 */
export function arrivalWindow({ at, date }: Telling, arrivals: Iterable<PastArrival>): ArrivalWindow {
  const drifts = driftsOf(arrivals, { leadMs: date - at, recentFrom: at - RECENT_MS })
  const n = drifts.length
  if (n < LEAST_ARRIVALS || date <= at) return { n, window: null }
  const rank = Math.floor((n + 1) / ONE_OUT_OF)
  const sorted = drifts.toSorted((one, other) => one - other)
  const [least, most] = [sorted.at(rank - 1), sorted.at(-rank)]
  return { n, window: least === undefined || most === undefined ? null : { from: date + least, to: date + most } }
}

function driftsOf(
  arrivals: Iterable<PastArrival>,
  { leadMs, recentFrom }: { readonly leadMs: number; readonly recentFrom: number },
): readonly number[] {
  const drifts: number[] = []
  for (const arrival of arrivals) {
    const isEnough = drifts.length >= LEAST_ARRIVALS && arrival.recordedAt < recentFrom
    if (isEnough || drifts.length === MOST_ARRIVALS) break
    const drift = driftAfterLead(arrival, leadMs)
    if (drift !== null) drifts.push(drift)
  }
  return drifts
}
