import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Polling, shipment, trackingOf, WATCH } from './polling.ts'

const MANY = Array.from({ length: 20 }, (_, index) => `SHP-${index + 1}`)

/** How many turns of the event loop others have while a pass finds that every record changed. */
async function turnsDuring(bytes: number): Promise<number> {
  await using polling = new Polling({ watch: { shipments: WATCH.shipments } })
  polling.platform.shipments = MANY.map((id) => shipment(id))
  await polling.pass()
  polling.platform.shipments = MANY.map((id) => shipment(id, { status: 'in_progress' }))
  polling.platform.bytes = bytes
  const ended = new AbortController()
  const counting = countTurns(ended.signal)
  expect(await polling.pass()).toHaveLength(MANY.length)
  ended.abort()
  return counting
}

async function countTurns(signal: AbortSignal): Promise<number> {
  let turns = 0
  for (; !signal.aborted; turns += 1) await nextTurn()
  return turns
}

test('others go on between the records of a large page', async () => {
  expect((await turnsDuring(600_000)) - (await turnsDuring(1))).toBeGreaterThanOrEqual(MANY.length)
})

test('a large item is judged and stored in steps, too', async () => {
  await using polling = new Polling()
  polling.platform.shipments = [shipment('SHP-1')]
  polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in'))
  await polling.pass()
  polling.platform.tracking.set('SHP-1', trackingOf('SHP-1', 'Gate in', 'Loaded'))
  polling.platform.bytes = 600_000
  expect((await polling.pass()).map(({ type }) => type)).toEqual(['tracking.event_added'])
})
