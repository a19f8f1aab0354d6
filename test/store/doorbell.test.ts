import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Doorbell } from '../../src/store/server/doorbell.ts'
import { until } from '../deliver/until.ts'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'

const SECOND = 1_000

let url: string
let proxy: DatabaseProxy
let resources: AsyncDisposableStack

beforeEach(async () => {
  const databases = await postgresDatabases()
  url = await databases.take()
  resources = new AsyncDisposableStack()
  resources.defer(async () => await databases.giveBack(url))
  proxy = resources.use(await DatabaseProxy.start(url))
})

afterEach(async () => await resources.disposeAsync())

/** A process that listens: it hears once as it begins to. */
async function process() {
  const clock = new FakeClock()
  const heard: number[] = []
  const doorbell = resources.use(new Doorbell({ url: proxy.url, clock, heard: () => heard.push(clock.monotonic()) }))
  await until(() => heard.length === 1)
  return { clock, doorbell, heard }
}

describe('a doorbell', () => {
  it('is heard by the others, at most once in 50 ms, and not by who rings', async () => {
    const [one, other] = [await process(), await process()]
    for (let ring = 0; ring < 100; ring += 1) one.doorbell.ring()
    await one.clock.advance(0)
    await until(() => other.heard.length === 2)
    for (let ring = 0; ring < 100; ring += 1) one.doorbell.ring()
    await one.clock.advance(49)
    other.doorbell.ring()
    await other.clock.advance(0)
    await until(() => one.heard.length === 2)
    expect(other.heard).toHaveLength(2)
    await one.clock.advance(1)
    await until(() => other.heard.length === 3)
    expect(one.heard).toHaveLength(2)
  })

  it('is listened at again after the database was away, as if it had rung', async () => {
    const { clock, doorbell, heard } = await process()
    proxy.isAway = true
    proxy.cut()
    await until(() => clock.nextWakeAt === clock.now() + 15 * SECOND)
    doorbell.ring()
    proxy.isAway = false
    await until(async () => {
      await clock.advance(15 * SECOND)
      return heard.length === 2
    })
  })

  it('is quiet where nobody may enter', async () => {
    const clock = new FakeClock()
    proxy.isAway = true
    const doorbell = resources.use(new Doorbell({ url: proxy.url, clock, heard: () => expect.unreachable() }))
    doorbell.ring()
    await until(() => clock.nextWakeAt === clock.now() + 15 * SECOND)
    await clock.advance(15 * SECOND)
  })
})
