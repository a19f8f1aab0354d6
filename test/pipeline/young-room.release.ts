import { expect, test, vi } from 'vitest'
import { worldShipment } from '../bench/world-shipment.ts'
import { Stage } from './stage.ts'
import { stopped, WAIT } from './workplace.ts'

const SHIPMENTS = 1_000
const MB = 2 ** 20

/** Bytes that V8 has for young objects, which is twice the size that flags name. */
async function youngRoom(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)/m.exec(metrics)?.[1])
}

test.runIf(process.platform === 'linux')(
  'a daemon has little room for young objects, and more in a burst',
  async () => {
    await using stage = await Stage.open()
    const { platform, receiver } = stage
    const shipments = Array.from({ length: SHIPMENTS }, (_, n) => worldShipment(n))
    platform.shipments = shipments
    const daemon = await stage.startLearnt()
    const [, url = ''] = await daemon.prints(/admin interface on (\S+)/)
    const told = (): number => receiver.events.filter(({ type }) => type === 'shipment.updated').length
    expect(await youngRoom(url)).toBe(8 * MB)
    for (let round = 1; round <= 3; round += 1) {
      platform.shipments = shipments.map((shipment) => ({ ...shipment, main_forwarder: `Forwarder ${round}` }))
      await vi.waitFor(() => expect(told()).toBe(round * SHIPMENTS), WAIT)
    }
    expect(await youngRoom(url)).toBe(32 * MB)
    await stopped(daemon)
  },
)
