import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { API_KEY, LoopbackPlatform } from '../../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../../support/loopback-receiver.ts'
import { ofTest } from '../../support/of-test.ts'
import { Workplace } from '../../support/shipbell.ts'
import { Collector } from './collector.ts'

/** What is done once a collector is told of it, as operators set it up: by one variable. */
async function place(endpoint: string) {
  const [platform, receiver] = [ofTest(await LoopbackPlatform.start()), ofTest(await LoopbackReceiver.start())]
  const work = new Workplace()
  onTestFinished(() => work[Symbol.dispose]())
  work.environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  platform.shipments = [{ platform_shipment_id: 'SHP-1', name: 'First', status: 'booked' }]
  work.write(
    'shipbell.yaml',
    `accounts:
  acme: { base_url: "${platform.url}", api_key: ${API_KEY}, first_poll: emit, watch: { shipments: {} } }
subscriptions:
  erp: { url: "${receiver.url}", secret: ${SECRET}, events: ["*"] }
delivery: { allow_networks: [127.0.0.0/8] }
http: false
`,
  )
  return { receiver, work }
}

async function silent(): Promise<Collector> {
  const collector = ofTest(await Collector.start())
  collector.answer = async () => new Promise<number>(() => undefined)
  return collector
}

const TROUBLE: Readonly<Record<string, () => Promise<string>>> = {
  'is away': async () => `http://127.0.0.1:${await freePort()}`,
  hangs: async () => (await silent()).url,
}

test.each(Object.keys(TROUBLE))('a collector that %s delays neither deliveries nor the end', async (what) => {
  const { receiver, work } = await place((await TROUBLE[what]?.()) ?? '')
  const daemon = work.start('run')
  await expect.poll(() => receiver.events.length).toBe(1)
  const askedAt = performance.now()
  daemon.kill('SIGTERM')
  const { code, stderr } = await daemon.ended
  expect([code, stderr]).toEqual([0, expect.stringContaining('run.stopped')])
  expect(performance.now() - askedAt).toBeLessThan(8_000)
})

test('what is left is sent at the end, of a daemon and of one pass', async () => {
  const collector = ofTest(await Collector.start())
  const { receiver, work } = await place(collector.url)
  expect((await work.run('once')).code).toBe(0)
  expect(new Set(collector.spans.map(({ name }) => name))).toEqual(new Set(['read', 'commit', 'deliver']))
  expect(collector.metrics.size).toBe(0)
  const daemon = work.start('run')
  await daemon.prints(/config\.loaded/)
  daemon.kill('SIGTERM')
  expect((await daemon.ended).code).toBe(0)
  expect(collector.metrics.has('shipbell_records')).toBe(true)
  expect([receiver.events.length, collector.problems]).toEqual([1, []])
})
