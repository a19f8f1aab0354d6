import { arrivalWindow, type PastArrival } from '../../src/report/arrival-window.ts'
import { deliveriesByTheCells, NO_DATA, realDeliveriesFile } from '../pipeline/real-deliveries.ts'

const DAY = 86_400_000
const LEAD = 30 * DAY
const BARS = { covered: 0.78, later: 0.1, medianDays: 11.5 }

interface Delivery extends PastArrival {
  readonly due: number
  readonly carrier: string
  readonly lane: string
}

/** How the windows of all deliveries by one key fared. */
interface Fared {
  readonly judged: number
  readonly silent: number
  readonly covered: number
  readonly later: number
  readonly medianDays: number
  readonly meanDays: number
}

/**
 * Each real delivery's window 30 days before the date that was told, of what was recorded before that day; one that was recorded
 * by then has none. Throws where a window by carrier or by lane does not keep its word.
 */
export function benchWindow(): string {
  const file = realDeliveriesFile()
  if (file === null) return `window: left out. ${NO_DATA}`
  const deliveries = newestFirst(file)
  const carrier = fared(deliveries, (delivery) => delivery.carrier)
  const lane = fared(deliveries, (delivery) => delivery.lane)
  const text = [
    `windows of ${deliveries.length.toLocaleString('en')} real deliveries 30 days before the date that was told, where not yet recorded ` +
      `(bars: covers at least ${BARS.covered}, later at most ${BARS.later}, median at most ${BARS.medianDays} days)`,
    line('carrier', carrier),
    line('lane', lane),
    line(
      'one for all',
      fared(deliveries, () => ''),
    ),
  ].join('\n')
  if (![carrier, lane].every(keepsItsWord)) throw new Error(text)
  return text
}

/** All are told from the first day on. */
function newestFirst(file: string): readonly Delivery[] {
  const deliveries = [...deliveriesByTheCells(file).values()].map(
    ({ delivered, lane, recorded, scheduled, vendor }): Delivery => ({
      due: Date.parse(scheduled),
      told: [{ date: Date.parse(scheduled), at: 0 }],
      arrivedAt: Date.parse(delivered),
      recordedAt: Date.parse(recorded),
      carrier: vendor,
      lane,
    }),
  )
  return deliveries.toSorted((one, other) => other.recordedAt - one.recordedAt)
}

function fared(deliveries: readonly Delivery[], keyOf: (delivery: Delivery) => string): Fared {
  const groups = Map.groupBy(deliveries, keyOf)
  const open = deliveries.filter(({ due, recordedAt }) => recordedAt > due - LEAD)
  const windows = open.flatMap((delivery) => {
    const { due } = delivery
    const { window } = arrivalWindow(
      { date: due, at: due - LEAD },
      recordedBefore(groups.get(keyOf(delivery)) ?? [], due - LEAD),
    )
    return window === null ? [] : [{ ...window, arrivedAt: delivery.arrivedAt }]
  })
  const days = windows.map(({ from, to }) => (to - from) / DAY).toSorted((one, other) => one - other)
  const share = (amount: number): number => amount / windows.length
  return {
    judged: windows.length,
    silent: 1 - windows.length / open.length,
    covered: share(windows.filter(({ arrivedAt, from, to }) => arrivedAt >= from && arrivedAt <= to).length),
    later: share(windows.filter(({ arrivedAt, to }) => arrivedAt > to).length),
    medianDays: days[Math.floor(days.length / 2)] ?? 0,
    meanDays: share(days.reduce((sum, own) => sum + own, 0)),
  }
}

/** What is recorded on the day itself is not known in its morning. */
function recordedBefore(newest: readonly Delivery[], day: number): readonly Delivery[] {
  const first = newest.findIndex(({ recordedAt }) => recordedAt < day)
  return first === -1 ? [] : newest.slice(first)
}

function keepsItsWord({ covered, later, medianDays }: Fared): boolean {
  return covered >= BARS.covered && later <= BARS.later && medianDays <= BARS.medianDays
}

function line(key: string, { covered, judged, later, meanDays, medianDays, silent }: Fared): string {
  return (
    `  ${key}: covers ${covered.toFixed(3)}, later ${later.toFixed(3)}; median ${medianDays.toFixed(1)} days, ` +
    `mean ${meanDays.toFixed(1)}; ${judged.toLocaleString('en')} windows, silent ${(silent * 100).toFixed(1)} %`
  )
}
