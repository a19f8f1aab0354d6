import { textField } from '../../src/model/json.ts'
import type { Trouble } from '../support/trouble.ts'
import { NO_CLOCK_IS_SET, idOf, Polling, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
/** What is refused is asked again after 15 minutes at the latest. */
export const SOON = 20 * MINUTE
export const ALL = { ...WATCH, ...WATCH_MORE }

export async function health(polling: Polling): Promise<readonly string[]> {
  const events = await polling.events()
  return events
    .filter(({ type }) => type === 'account.unauthorized' || type === 'account.recovered')
    .map(({ extras, type }) => `${type} ${textField(extras, 'resource') ?? '-'}`)
}

export function forbid(polling: Polling, ...whats: readonly string[]): void {
  const trouble: Trouble = { kind: 'forbidden' }
  polling.platform.trouble = (what) => (whats.some((each) => what.startsWith(each)) ? trouble : null)
}

export function asked(polling: Polling, what: string): number {
  return polling.platform.asked.filter((each) => each.what.startsWith(what)).length
}

export async function read(settings: ConstructorParameters<typeof Polling>[0] = { watch: ALL }): Promise<Polling> {
  const polling = new Polling(settings, NO_CLOCK_IS_SET)
  polling.platform.shipments = shipments(5)
  for (const each of polling.platform.shipments)
    polling.platform.tracking.set(idOf(each), trackingOf(idOf(each), 'Gate in'))
  polling.platform.orderPreparations.set('OP-1', { reference: 'OP-1', status: 'draft' })
  await polling.pass()
  await polling.restart()
  await polling.clock.advance(MINUTE)
  return polling
}
