import { NO_CLOCK_IS_SET, idOf, Polling, shipments, trackingOf, WATCH } from './polling.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
const SELDOM = { everyMs: 6 * HOUR, ignore: [] } as const

export const seldom = {
  watch: { shipments: { ...WATCH.shipments, ...SELDOM }, tracking: { ...WATCH.tracking, ...SELDOM } },
}
export const sixAMinute = { requests: 6, perMs: MINUTE, concurrency: 1, share: 1 } as const

/** Shipments with their trackings, read once. */
export async function baselined(count: number, settings: ConstructorParameters<typeof Polling>[0]): Promise<Polling> {
  const polling = new Polling(settings, NO_CLOCK_IS_SET)
  polling.platform.shipments = shipments(count)
  for (const each of polling.platform.shipments) {
    polling.platform.tracking.set(idOf(each), trackingOf(idOf(each), 'Gate in'))
  }
  await polling.pass()
  return polling
}

export function asked(polling: Polling, what: RegExp): readonly number[] {
  return polling.platform.asked.filter((each) => what.test(each.what)).map(({ at }) => at)
}
