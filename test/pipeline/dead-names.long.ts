import { expect, test, vi } from 'vitest'
import { Service } from '../../src/app.ts'
import { ENDLESS_PATIENCE } from '../../src/poll/requests/account-client.ts'
import { systemClock } from '../../src/clock.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { createLogger } from '../../src/log.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Resolve } from '../../src/http/names/name-resolver.ts'
import { scratchFolder } from '../config/scratch.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { LoopbackDns } from '../support/loopback-dns.ts'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { namesBy } from '../support/names-by.ts'
import { WAIT } from './workplace.ts'

const EACH = 20
const ROUNDS = 10
const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })

interface Places {
  readonly platform: string
  readonly receiver: string
  readonly ops: string
}

function mail(host: string): string {
  return `  ${host}: { email: { from: a@b.example, to: [c@d.example] }, timeout: 5m, events: [shipment.updated] }`
}

function shipment(round: number): JsonObject {
  return { platform_shipment_id: 'SHP-1', status: 'booked', name: `Name ${round}` }
}

/**
 * Everybody has a name: of the subscribers one half is found, and the other half, mail among it, never. Four attempts make an
 * endpoint fail, and none is the last one: whoever looks late would be told of that instead. No attempt ends by its own deadline.
 */
function configuration({ platform, receiver, ops }: Places): string {
  const webhook = (host: string): string =>
    `  ${host}: { url: "http://${host}.example:${receiver}/", secret: ${SECRET}, timeout: 5m, events: [shipment.updated] }`
  const every = Array.from({ length: EACH }, (_, n) => [webhook(`ok${n}`), (n === 0 ? mail : webhook)(`dead${n}`)])
  return `accounts:
  acme:
    base_url: http://platform.example:${platform}
    api_key: ${API_KEY}
    budget: { requests: 1000, per: 1s }
    watch: { shipments: { every: 50ms } }
subscriptions:
${every.flat().join('\n')}
  ops: { url: "http://ops.example:${ops}/", secret: ${SECRET}, events: ["endpoint.*", "account.*"] }
delivery: { allow_networks: [127.0.0.0/8], retry: [10ms, 10ms, 10ms, 1h] }
smtp: smtp://dead0.example:25
http: false
`
}

async function openService(text: string, resolve: Resolve): Promise<Service> {
  const folder = scratchFolder({ 'shipbell.yaml': text })
  const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd: folder, env: {} }))
  return await Service.open({
    live,
    clock: systemClock,
    log: LOG,
    random: Math.random,
    command: 'run',
    progress: () => undefined,
    patience: ENDLESS_PATIENCE,
    resolve,
  })
}

test('names that hang slow nobody else, nor polling, and only theirs are told to fail', async () => {
  await using dns = await LoopbackDns.start()
  await using platform = await LoopbackPlatform.start()
  await using receiver = await LoopbackReceiver.start()
  await using ops = await LoopbackReceiver.start()
  for (const name of ['platform', 'ops', ...Array.from({ length: EACH }, (_, n) => `ok${n}`)])
    dns.zone.set(`${name}.example`, ['127.0.0.1'])
  for (let n = 0; n < EACH; n += 1) dns.silent.add(`dead${n}.example`)
  const clock = new FakeClock()
  // Only the test's clock ends a look-up.
  const { names } = namesBy(dns, { clock, resolvConf: 'search .\noptions timeout:30 attempts:5' })
  const ports = [platform, receiver, ops].map(({ url }) => new URL(url).port)
  const [platformPort = '', receiverPort = '', opsPort = ''] = ports
  const text = configuration({ platform: platformPort, receiver: receiverPort, ops: opsPort })
  platform.shipments = [shipment(0)]

  const stop = new AbortController()
  await using service = await openService(text, names.resolve)
  const running = service.run(stop.signal)
  const emitted = (type: string): readonly unknown[] => ops.events.filter((event) => event.type === type)
  await vi.waitFor(() => expect(emitted('account.baseline_completed')).toHaveLength(1), WAIT)
  for (let round = 1; round <= ROUNDS; round += 1) {
    platform.shipments = [shipment(round)]
    await vi.waitFor(() => expect(receiver.received).toHaveLength(round * EACH), WAIT)
  }
  expect(receiver.events).toHaveLength(ROUNDS)
  expect(emitted('endpoint.failing')).toEqual([])

  // Mail gathers for a while.
  await vi.waitFor(() => expect(dns.heardOf.size).toBe(2 * EACH + 2), WAIT)
  await clock.advance(5_000)
  await vi.waitFor(() => expect(emitted('endpoint.failing')).toHaveLength(EACH), WAIT)
  const failing = ops.events.filter(({ type }) => type === 'endpoint.failing')
  expect(failing.map(({ subject }) => subject.id).toSorted()).toEqual(
    Array.from({ length: EACH }, (_, n) => `dead${n}`).toSorted(),
  )
  for (const { data } of failing)
    expect(data).toHaveProperty(
      'reason',
      expect.stringMatching(
        /^The host name of \S.*dead\d+\.example\S* cannot be resolved \(EAI_AGAIN\): no DNS server answered within 5s$/,
      ),
    )
  stop.abort()
  await running
})
