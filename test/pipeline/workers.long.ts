import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { Workplace, type RunningShipbell } from '../support/shipbell.ts'
import { killed, stopped } from './workplace.ts'

const ACCOUNTS = ['a', 'b', 'c', 'd']
const WAIT = { timeout: 45_000, interval: 20 }
const TAKEN_OVER_WITHIN_MS = 25_000
const HANDED_OVER_WITHIN_MS = 3_000
const JOINED_WITHIN_MS = 30_000
const PER_MS = 1_000
const REQUESTS = 20
const CONCURRENCY = 2
/** The platform sees a request a little after it was counted. */
const ON_THE_WAY_MS = 200

interface ShownWorker {
  readonly id: string
  readonly accounts: readonly string[]
  readonly config_differs: boolean
}

/** Several programs on one database, between a platform for each account and a receiver. */
class Yard implements AsyncDisposable {
  readonly work = new Workplace()
  readonly platforms = new Map<string, { readonly platform: LoopbackPlatform; readonly times: number[] }>()
  readonly #stack = new AsyncDisposableStack()
  #round = 0

  readonly url: string
  readonly receiver: LoopbackReceiver

  private constructor(url: string, receiver: LoopbackReceiver) {
    this.url = url
    this.receiver = receiver
  }

  static async open(url: string): Promise<Yard> {
    const yard = new Yard(url, await LoopbackReceiver.start())
    yard.#stack.use(yard.receiver)
    for (const account of ACCOUNTS) {
      const platform = yard.#stack.use(await LoopbackPlatform.start())
      const times: number[] = []
      platform.replace = () => {
        times.push(performance.now())
        return null
      }
      yard.platforms.set(account, { platform, times })
    }
    yard.render()
    yard.configure()
    yard.#stack.use(yard.work)
    return yard
  }

  configure(more = ''): void {
    const accounts = [...this.platforms].map(
      ([name, { platform }]) =>
        `  ${name}: { base_url: "${platform.url}", api_key: ${API_KEY}, watch: { shipments: { every: 100ms } },` +
        ` budget: { requests: ${REQUESTS}, per: 1s, concurrency: ${CONCURRENCY} } }`,
    )
    this.work.write(
      'shipbell.yaml',
      `accounts:\n${accounts.join('\n')}
subscriptions:
  erp: { url: "${this.receiver.url}", secret: ${SECRET}, events: ["shipment.*", "account.*"], order: subject }
${more}
delivery: { allow_networks: [127.0.0.0/8], retry: [100ms, 1s, 1s, 1s, 1s] }
storage: { url: "${this.url}" }
http: false
`,
    )
  }

  /** The next state of every shipment. */
  render(): void {
    this.#round += 1
    for (const [account, { platform }] of this.platforms)
      platform.shipments = Array.from({ length: 5 }, (_, nth) => ({
        platform_shipment_id: `${account}-${nth}`,
        status: 'in_progress',
        name: `round ${this.#round}`,
      }))
  }

  async workers(): Promise<readonly ShownWorker[]> {
    const { stdout } = await this.work.run('status', '--json')
    const status: { readonly workers: readonly ShownWorker[] } = JSON.parse(stdout)
    return status.workers
  }

  /** Resolves once this many workers share all accounts. */
  async shared(amount: number): Promise<readonly ShownWorker[]> {
    return await vi.waitFor(async () => {
      const workers = await this.workers()
      expect(workers).toHaveLength(amount)
      const sizes = workers.map(({ accounts }) => accounts.length)
      expect(sizes.reduce((sum, each) => sum + each)).toBe(ACCOUNTS.length)
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      return workers
    }, WAIT)
  }

  async baselined(): Promise<void> {
    const done = () => this.receiver.received.filter(({ payload }) => payload.type === 'account.baseline_completed')
    await vi.waitFor(() => expect(new Set(done().map(({ id }) => id)).size).toBe(ACCOUNTS.length), WAIT)
  }

  /** Each state of every shipment arrived, once and in turn, under ids that only the receiver's repeats share. */
  async assertComplete(): Promise<void> {
    const rounds = this.#round - 1
    await vi.waitFor(() => expect(this.#changes().length).toBe(rounds * ACCOUNTS.length * 5), WAIT)
    const first = new Map<string, number>()
    for (const { id, payload } of this.receiver.received) {
      if (!payload.type.startsWith('shipment.')) continue
      const last = first.get(payload.subject.id) ?? 0
      const isRepeat =
        this.receiver.received.findIndex((each) => each.id === id) <
        this.receiver.received.findIndex((each) => each.payload === payload)
      if (!isRepeat) expect(payload.subject.version).toBe(last + 1)
      first.set(payload.subject.id, Math.max(last, payload.subject.version))
    }
    expect(this.receiver.problems).toEqual([])
  }

  #changes(): readonly string[] {
    const own = this.receiver.received.filter(({ payload }) => payload.type.startsWith('shipment.'))
    return [...new Set(own.map(({ id }) => id))]
  }

  assertWithinBudgets(): void {
    for (const { times } of this.platforms.values()) {
      const most = Math.max(
        ...times.map((from) => times.filter((at) => at >= from && at < from + PER_MS - ON_THE_WAY_MS).length),
      )
      expect(most).toBeLessThanOrEqual(REQUESTS + CONCURRENCY)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

let url: string
let yard: Yard

beforeEach(async () => {
  url = await (await postgresDatabases()).take()
  yard = await Yard.open(url)
})

afterEach(async () => {
  await yard[Symbol.asyncDispose]()
})

async function started(amount: number): Promise<readonly RunningShipbell[]> {
  const running = Array.from({ length: amount }, () => yard.work.start('run'))
  await yard.baselined()
  await yard.shared(amount)
  return running
}

/** How long an account of these went unread, from then on. */
async function idleMs(accounts: readonly string[], since: number): Promise<number> {
  const gaps = accounts.map(async (account) => {
    const times = yard.platforms.get(account)?.times ?? []
    const read = await vi.waitFor(() => {
      const next = times.find((at) => at > since + 300)
      expect(next).toBeDefined()
      return next ?? 0
    }, WAIT)
    return read - since
  })
  return Math.max(...(await Promise.all(gaps)))
}

function pidOf(line: RunningShipbell): number {
  return line.pid
}

describe('several workers', () => {
  test('share the accounts, hand them over at once, and take over from one that is killed', async () => {
    const [first, second, third] = await started(3)
    if (first === undefined || second === undefined || third === undefined) throw new Error('three were started')
    yard.render()
    await yard.assertComplete()
    const stoppedAt = performance.now()
    await stopped(first)
    expect(await idleMs(ACCOUNTS, stoppedAt)).toBeLessThan(HANDED_OVER_WITHIN_MS)
    await yard.shared(2)
    yard.render()
    await killed(second)
    const killedAt = performance.now()
    expect(await idleMs(ACCOUNTS, killedAt)).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    await yard.assertComplete()
    await yard.shared(1)
    const joinedAt = performance.now()
    yard.work.start('run')
    await yard.shared(2)
    expect(performance.now() - joinedAt).toBeLessThan(JOINED_WITHIN_MS)
    yard.render()
    await yard.assertComplete()
    yard.assertWithinBudgets()
  }, 180_000)

  test('one that is stopped for 40 s and goes on does nothing that another does by now', async () => {
    const [first, second] = await started(2)
    if (first === undefined || second === undefined) throw new Error('two were started')
    process.kill(pidOf(first), 'SIGSTOP')
    const at = performance.now()
    yard.render()
    expect(await idleMs(ACCOUNTS, at)).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    await yard.assertComplete()
    await delay(Math.max(0, 40_000 - (performance.now() - at)))
    yard.render()
    process.kill(pidOf(first), 'SIGCONT')
    await first.prints(/worker\.lost/)
    await yard.assertComplete()
    await yard.shared(2)
    yard.render()
    await yard.assertComplete()
    yard.assertWithinBudgets()
    expect(first.stderr).not.toMatch(/poll\.failed/)
  }, 180_000)
})
