import { expect, test, vi } from 'vitest'
import { DatabaseProxy } from '../support/database-proxy.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { Stage } from './stage.ts'
import { baselined, killed, stopped, WAIT } from './workplace.ts'

const AWAY_MS = 4_000
const SENT_WITHIN_MS = 30_000

/** What is claimed is known by its statement, what is settled by that. */
test.concurrent.each(['INSERT INTO claims', 'DELETE FROM claims WHERE ctid'])(
  'what a worker did without hearing of it, as the answer to %s was lost, waits for no time-out',
  async (statement) => {
    await using server = await PostgresServer.start({ durable: true })
    await using proxy = await DatabaseProxy.start(server.url())
    await using stage = await Stage.open()
    const { platform, receiver, work } = stage
    stage.configure({ more: 'storage: { url: "${DATABASE_URL}" }' })
    work.environment = { DATABASE_URL: proxy.url }
    platform.shipments = Array.from({ length: 20 }, (_, nth) => ({
      platform_shipment_id: `SHP ${nth}`,
      status: 'draft',
    }))
    const before = work.start('run')
    await baselined(receiver)
    const asked = receiver.asked
    receiver.answer = () => 503
    platform.shipments = platform.shipments.map((each) => ({ ...each, status: 'booked' }))
    await vi.waitFor(() => expect(receiver.asked).toBeGreaterThan(asked), WAIT)
    await killed(before)

    receiver.answer = () => 200
    proxy.faults = Array.from({ length: 30 }, () => ({ swallows: statement }))
    const daemon = work.start('run')
    await vi.waitFor(() => expect(proxy.swallowed).toBeGreaterThan(0), WAIT)
    proxy.cut()
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS))
    proxy.faults = []
    proxy.isAway = false
    const back = performance.now()
    const heard = (): number => receiver.events.filter(({ type }) => type === 'shipment.status_changed').length
    await vi.waitFor(() => expect(heard()).toBe(20), { timeout: 120_000, interval: 50 })
    expect(performance.now() - back).toBeLessThan(SENT_WITHIN_MS)
    await vi.waitFor(async () => expect(await stage.deliveries('--undelivered')).toEqual([]), WAIT)
    await stopped(daemon)
  },
)
