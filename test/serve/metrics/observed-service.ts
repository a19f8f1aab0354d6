import { onTestFinished } from 'vitest'
import { Service } from '../../../src/app.ts'
import { requireConfig } from '../../../src/config/load-config.ts'
import { LiveConfig } from '../../../src/config/live-config.ts'
import { createLogger } from '../../../src/log.ts'
import { scratchFolder } from '../../config/scratch.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { API_KEY, LoopbackPlatform } from '../../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../../support/loopback-receiver.ts'
import { ofTest } from '../../support/of-test.ts'
import { valuesOf } from './exposition.ts'
import { putEmptyStore } from '../../support/empty-store.ts'

export const TOKEN = 'token-of-the-test'
export const VIEWER_TOKEN = 'viewer-token-of-the-test'
const NEVER = new AbortController().signal

const ACCOUNT =
  'budget: { requests: 1000, per: 1s }, watch: { shipments: { every: 2m }, tracking: { every: 15m }, invoices: { every: 10m } }'

/** A service on loopback whose passes and time a test controls, and what its `/metrics` answers. Lives as long as the test. */
export class ObservedService {
  readonly clock: FakeClock
  readonly platform: LoopbackPlatform
  readonly receiver: LoopbackReceiver
  readonly #folder: string
  readonly #service: Service
  readonly #url: string

  private constructor(parts: Parts) {
    this.clock = parts.clock
    this.platform = parts.platform
    this.receiver = parts.receiver
    this.#folder = parts.folder
    this.#service = parts.service
    this.#url = parts.url
  }

  /** `more`: lines of the configuration, a subscription first. */
  static async start({ more = '' } = {}): Promise<ObservedService> {
    // Receivers judge the age of signatures by their own clocks.
    const clock = new FakeClock(Date.now())
    const [platform, receiver] = [ofTest(await LoopbackPlatform.start()), ofTest(await LoopbackReceiver.start())]
    const folder = scratchFolder({ 'shipbell.yaml': yaml({ platform, receiver, more }) })
    putEmptyStore(`${folder}/shipbell.db`)
    const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd: folder, env: {} }))
    const log = createLogger({
      level: 'silent',
      pretty: false,
      colour: false,
      secrets: () => [],
      write: () => undefined,
    })
    const service = await Service.open({
      live,
      clock,
      log,
      random: () => 0.5,
      command: 'run',
      progress: () => undefined,
    })
    onTestFinished(async () => service[Symbol.asyncDispose]())
    const url = (await service.serve())?.url ?? ''
    return new ObservedService({ clock, platform, receiver, folder, service, url })
  }

  /** One pass over everything, then what is due is delivered. */
  async once(): Promise<void> {
    await this.#service.once(NEVER)
  }

  /** A pass that waits for the platform, and is cut short once a fact holds. */
  async onceUntil(holds: () => Promise<boolean>): Promise<void> {
    const stopping = new AbortController()
    const pass = Promise.allSettled([this.#service.once(stopping.signal)])
    while (!(await holds())) await this.clock.advance(2_000)
    stopping.abort()
    await pass
  }

  /** The daemon's loops, until the test ends. */
  run(): void {
    const stopping = new AbortController()
    const ended = this.#service.run(stopping.signal)
    onTestFinished(async () => {
      stopping.abort()
      await ended
    })
  }

  /** Time passes in which nothing is read or sent. */
  wait(ms: number): void {
    this.clock.jump(this.clock.now() + ms)
  }

  /** The configuration has these accounts and subscriptions from now on. */
  async configure(names: {
    readonly accounts: readonly string[]
    readonly subscriptions: readonly string[]
  }): Promise<void> {
    const { platform, receiver } = this
    const folder = scratchFolder({
      'shipbell.yaml': yaml({ platform, receiver, ...names, storage: `${this.#folder}/shipbell.db` }),
    })
    await this.#service.reload(requireConfig('shipbell.yaml', { cwd: folder, env: {} }))
  }

  async ask(path = '/metrics', token: string | null = TOKEN): Promise<Response> {
    return fetch(`${this.#url}${path}`, { headers: token === null ? {} : { authorization: `Bearer ${token}` } })
  }

  /** Has something done; time goes on until it is. */
  async act(path: string): Promise<Response> {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const ended = fetch(`${this.#url}${path}`, { method: 'POST', headers })
    const over = ended.then(
      () => true,
      () => true,
    )
    const passed = async (): Promise<boolean> => {
      await this.clock.advance(50)
      return false
    }
    while (!(await Promise.race([over, passed()])));
    return await ended
  }

  async text(): Promise<string> {
    return (await this.ask()).text()
  }

  /** The value of each series, by its name and labels as the exposition writes them, labels in the order of their names. */
  async scrape(): Promise<ReadonlyMap<string, number>> {
    return valuesOf(await this.text())
  }
}

interface Parts {
  readonly clock: FakeClock
  readonly platform: LoopbackPlatform
  readonly receiver: LoopbackReceiver
  readonly folder: string
  readonly service: Service
  readonly url: string
}

interface Yaml {
  readonly platform: LoopbackPlatform
  readonly receiver: LoopbackReceiver
  readonly accounts?: readonly string[]
  readonly subscriptions?: readonly string[]
  readonly storage?: string
  readonly more?: string
}

function yaml({
  accounts = ['acme'],
  more = '',
  platform,
  receiver,
  storage = 'shipbell.db',
  subscriptions = ['erp'],
}: Yaml): string {
  const account = (name: string): string =>
    `  ${name}: { base_url: '${platform.url}', api_key: ${API_KEY}, ${ACCOUNT} }\n`
  const subscription = (name: string): string =>
    `  ${name}: { url: '${receiver.url}', secret: ${SECRET}, events: ['*', 'account.*'] }\n`
  return `accounts:
${accounts.map(account).join('')}subscriptions:
${subscriptions.map(subscription).join('')}${more}
delivery: { allow_networks: [127.0.0.0/8], retry: [1m] }
storage: { path: ${storage} }
http: { listen: '127.0.0.1:0', token: ${TOKEN}, viewer_token: ${VIEWER_TOKEN} }
`
}
