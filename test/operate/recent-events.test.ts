import { expect, test } from 'vitest'
import { RecentLog } from '../../src/operate/recent-events.ts'
import { InMemoryDeskStore } from '../desk/in-memory-desk-store.ts'
import { NOW, sampleDesk } from '../desk/sample-desk.ts'

/** A log of so many events, and how often it was read. */
function logOf(amount: number, expired = 0) {
  const [sample] = sampleDesk().store.log
  if (sample === undefined) throw new Error('The sample rang.')
  const store = new InMemoryDeskStore()
  const add = (nth: number): void => {
    store.log.push({ ...sample, id: `evt_${nth}`, timestamp: nth, expiredAt: nth < expired ? NOW : null })
  }
  for (let nth = 0; nth < amount; nth += 1) add(nth)
  let reads = 0
  const log = new RecentLog({
    eventPage: async (query) => {
      reads += 1
      return await store.eventPage(query)
    },
  })
  return { add, log, reads: () => reads }
}

test('the newest events are held, and only what rang since is read', async () => {
  const { add, log, reads } = logOf(2_500)
  const first = await log.recent()
  expect([first.events.length, first.isCut, reads()]).toEqual([2_000, true, 10])
  add(2_500)
  const next = await log.recent()
  expect([next.events[0]?.id, next.events.length, next.isCut, reads()]).toEqual(['evt_2500', 2_000, true, 11])
})

test('what has expired is not looked through', async () => {
  const { log, reads } = logOf(5_000, 4_900)
  const { events, isCut } = await log.recent()
  expect([events.length, isCut, reads()]).toEqual([100, true, 1])
})
