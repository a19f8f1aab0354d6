import { expect } from 'vitest'
import type { Trouble } from '../support/trouble.ts'
import { NO_CLOCK_IS_SET, Polling, shipments, trackingOf, WATCH } from './polling.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

const EVERY_2M = { watch: { ...WATCH, tracking: { ...WATCH.tracking, everyMs: 2 * MINUTE } } }

/** So many shipments, each with a tracking. */
export function tracked(count: number, settings: ConstructorParameters<typeof Polling>[0] = EVERY_2M): Polling {
  const polling = new Polling(settings, NO_CLOCK_IS_SET)
  polling.platform.latencyMs = 20
  polling.platform.shipments = shipments(count)
  for (let nth = 1; nth <= count; nth += 1) {
    polling.platform.tracking.set(`SHP-${nth}`, trackingOf(`SHP-${nth}`, 'Gate in'))
  }
  return polling
}

/** Fetches by id of these fail. */
export function failing(polling: Polling, isBad: (id: string) => boolean, trouble: Trouble = { kind: 'broken' }): void {
  polling.platform.trouble = (_, { id }) => (id !== null && isBad(id) ? trouble : null)
}

/** The instants at which something was asked for. */
export function timesOf(polling: Polling, what: string): readonly number[] {
  return polling.platform.asked.filter((asked) => asked.what === what).map(({ at }) => at)
}

export function gapsOf(times: readonly number[]): readonly number[] {
  return times.slice(1).map((at, index) => at - (times[index] ?? 0))
}

/** All of so many items fail, and answer again. */
export async function failTogether(count: number): Promise<void> {
  await using polling = tracked(count)
  await polling.run(5 * MINUTE)
  const asked = polling.platform.asked.filter(({ what }) => what.startsWith('tracking')).length
  failing(polling, () => true)
  await polling.run(30 * MINUTE)
  expect(await polling.types()).toContain('account.unreachable')
  const during = polling.platform.asked.filter(({ what }) => what.startsWith('tracking')).length - asked
  expect(during).toBeLessThan(150)
  failing(polling, () => false)
  await polling.run(6 * MINUTE)
  expect((await polling.types()).at(-1)).toBe('account.recovered')
  const [last = 0] = timesOf(polling, `tracking/SHP-${count}`).slice(-1)
  expect(polling.clock.now() - last).toBeLessThanOrEqual(2 * MINUTE)
}
