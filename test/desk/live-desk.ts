import { expect, vi } from 'vitest'
import { Service } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { createLogger } from '../../src/log.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { scratchFolder } from '../config/scratch.ts'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { putEmptyStore } from '../support/empty-store.ts'

export const TOKEN = 'a-token-that-may-do-everything'
export const VIEWER_TOKEN = 'a-token-that-may-look-around'

export const WAIT = { timeout: 20_000, interval: 50 }

/** Texts that would be markup, terminal commands, or an order for what stands beside them. */
const HOSTILE = '<img src=x onerror=alert(1)>"\'&amp;\u001B[31m\u202Eevil\u2066'

/** A whole service with its desk, the platform that it reads and a subscriber: all on loopback, in real time. */
export class LiveDesk implements AsyncDisposable {
  readonly platform: LoopbackPlatform
  readonly receiver: LoopbackReceiver
  readonly url: string
  readonly service: Service
  readonly #resources: AsyncDisposableStack

  private constructor(
    parts: Pick<LiveDesk, 'platform' | 'receiver' | 'url' | 'service'>,
    resources: AsyncDisposableStack,
  ) {
    this.platform = parts.platform
    this.receiver = parts.receiver
    this.url = parts.url
    this.service = parts.service
    this.#resources = resources
  }

  /** Its baseline is complete: whatever changes from now on rings. */
  static async start(): Promise<LiveDesk> {
    await using resources = new AsyncDisposableStack()
    const platform = resources.use(await LoopbackPlatform.start())
    const receiver = resources.use(await LoopbackReceiver.start())
    platform.shipments = shipments('booked')
    const service = resources.use(await openService(configuration(platform.url, receiver.url)))
    const server = await service.serve()
    if (server === null) throw new Error('The desk is configured.')
    const stop = new AbortController()
    const running = service.run(stop.signal)
    resources.defer(async () => {
      stop.abort()
      await running
    })
    await vi.waitFor(async () => {
      const [account] = await service.store.accounts(0)
      expect(account?.lists[0]?.baselinedAt).toBeGreaterThan(0)
    }, WAIT)
    return new LiveDesk({ platform, receiver, url: server.url, service }, resources.move())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources[Symbol.asyncDispose]()
  }
}

const SHIPMENTS = 12

export function shipments(status: string): JsonObject[] {
  return Array.from({ length: SHIPMENTS }, (_, nth) => ({
    platform_shipment_id: `SHP-${nth + 1}`,
    name: nth === 0 ? HOSTILE : `Garden chairs ${nth + 1}`,
    status,
    main_tracking_dates: { arrival: { date: '2026-12-12T10:00:00Z', status: 'estimated' } },
  }))
}

function configuration(platform: string, receiver: string): string {
  return `accounts:
  acme:
    base_url: ${platform}
    api_key: ${API_KEY}
    budget: { requests: 1000, per: 1s }
    watch: { shipments: { every: 50ms } }
subscriptions:
  erp: { url: "${receiver}/hooks", secret: ${SECRET}, events: ["shipment.*"] }
delivery: { allow_networks: [127.0.0.0/8], retry: [10ms] }
http: { listen: "127.0.0.1:0", token: ${TOKEN}, viewer_token: ${VIEWER_TOKEN} }
`
}

async function openService(text: string): Promise<Service> {
  const folder = scratchFolder({ 'shipbell.yaml': text })
  putEmptyStore(`${folder}/shipbell.db`)
  const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd: folder, env: {} }))
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  return await Service.open({
    live,
    clock: systemClock,
    log,
    random: Math.random,
    command: 'run',
    progress: () => undefined,
  })
}
