import { performance } from 'node:perf_hooks'
import { systemClock } from '../../../src/clock.ts'
import { randomOf } from '../../../src/sandbox/random.ts'
import { API_KEY } from '../../support/loopback-platform.ts'
import { SECRET } from '../../support/loopback-receiver.ts'
import { PostgresServer } from '../../support/postgres-server.ts'
import { Daemons, until } from './daemons.ts'
import { FilterOracle, type Passing } from './filter-oracle.ts'
import { HealingReceiver } from './healing-receiver.ts'
import { keyOf, LosingProxy } from './losing-proxy.ts'
import { MovingAccounts } from './moving-accounts.ts'

export interface CompleteOptions {
  readonly seed: number
  readonly deliveries: number
  /** Of each of two accounts. */
  readonly shipments: number
  readonly kills: number
  /** SQLite with one daemon, or PostgreSQL with two, of which one is dead until the other has taken over. */
  readonly store: 'sqlite' | 'postgres'
  readonly swallows: { readonly deliveries: number; readonly watermarks: number }
}

export interface CompleteReport {
  readonly problems: readonly string[]
  readonly deliveries: number
  readonly repeats: number
  readonly lost: number
  readonly healed: number
  readonly watermarks: number
  readonly swallowedWatermarks: number
  readonly kills: number
  readonly takeOvers: number
  /** Until a loss that was shown was mended, at most. */
  readonly healedWithinMs: number
  /** How many more watermarks came until then, at most. */
  readonly healedWithinMarks: number
  readonly seconds: number
}

interface Filter extends Passing {
  readonly yaml: string
}

/** One after the other. */
const FILTERS: readonly [Filter, Filter, Filter] = [
  { yaml: `where: data.shipment.freight_mode == "ocean", min_shift: 12h`, modes: ['ocean'], shiftHours: 12 },
  {
    yaml: `where: 'data.shipment.freight_mode in ["ocean", "air"]', min_shift: 30m`,
    modes: ['ocean', 'air'],
    shiftHours: 0.5,
  },
  { yaml: `where: data.shipment.freight_mode != "air", min_shift: 6h`, modes: ['ocean', 'truck'], shiftHours: 6 },
]

const ACCOUNTS = ['east', 'west']
const MODES = 'ocean ocean ocean ocean air ocean ocean air truck ocean'.split(' ')
const TOKEN = 'a-token-of-this-subscription-alone'
const KNOWN_WITHIN_MS = 300_000
const MOST_PROBLEMS = 10

/**
 * Real daemons tell a receiver through a proxy that swallows some of what it answers 200, while they are killed and the filter changes
 * twice. What the receiver says is missing is judged at each watermark.
 */
export async function complete(options: CompleteOptions): Promise<CompleteReport> {
  await using stack = new AsyncDisposableStack()
  const daemons = stack.use(new Daemons(options.store === 'postgres' ? 2 : 1))
  const receiver = new HealingReceiver({ subscription: 'erp', token: TOKEN, urls: () => daemons.urls })
  const proxy = stack.use(await LosingProxy.start({ ...options, passOn: receiver.take }))
  receiver.proxy = proxy
  const plan = { accounts: ACCOUNTS, shipments: options.shipments, modes: MODES }
  const platform = stack.use(await MovingAccounts.start(plan))
  const server = options.store === 'postgres' ? stack.use(await PostgresServer.start({ durable: true })) : null
  const storage = server === null ? '{ path: shipbell.db }' : `{ url: "${server.url()}" }`
  const yamlOf = (filter: Filter): string =>
    configuration({ platform: platform.url, proxy: proxy.url, storage, filter })
  daemons.configure(yamlOf(FILTERS[0]))
  const startedAt = performance.now()
  await daemons.startAll()
  const run = new CompleteRun({ options, daemons, receiver, proxy, platform })
  await run.learnt()
  const live = async (): Promise<void> => {
    for (const [nth, filter] of FILTERS.entries()) {
      if (nth > 0) await daemons.inTurn(async () => await refiltered(daemons, yamlOf(filter), nth))
      await run.live(filter, (options.deliveries * (nth + 1)) / FILTERS.length)
    }
  }
  await Promise.all([run.kill(), live()])
  await run.end()
  const codes = await daemons.stopAll()
  run.problems.push(...codes.filter((code) => code !== 0).map((code) => `a daemon ended with ${code}`))
  const seconds = (performance.now() - startedAt) / 1_000
  const told = receiver.marks.length + proxy.swallowedWatermarks
  if (told > seconds + 1) run.problems.push(`${told} watermarks in ${seconds} s, of which one may come each second`)
  return { ...run.report(), seconds }
}

/** Once while all run, once while one is dead. */
async function refiltered(daemons: Daemons, yaml: string, nth: number): Promise<void> {
  if (nth === 2) await daemons.kill(0)
  await daemons.reload(yaml)
  if (nth === 2) await daemons.start(0)
}

interface Scene {
  readonly options: CompleteOptions
  readonly daemons: Daemons
  readonly receiver: HealingReceiver
  readonly proxy: LosingProxy
  readonly platform: MovingAccounts
}

class CompleteRun {
  readonly problems: string[] = []
  readonly #scene: Scene
  readonly #oracle = new FilterOracle()
  /** How many rows there must be of what was shown before an instant. */
  readonly #rounds: { readonly at: number; readonly rows: number }[] = []
  readonly #random

  constructor(scene: Scene) {
    this.#scene = scene
    this.#random = randomOf('kills', scene.options.seed)
  }

  /** Resolves once each list was read whole, as the watermarks say. */
  async learnt(): Promise<void> {
    const { daemons, receiver } = this.#scene
    await until(
      () => Number.isFinite(receiver.marks.at(-1)?.readAt),
      () => `nothing is learnt: ${daemons.said.slice(-2_000)}`,
    )
  }

  /** All shipments move, again once what must ring of it was sent, until so many deliveries are due. */
  async live(filter: Filter, deliveries: number): Promise<void> {
    const { expected } = this.#oracle
    const { daemons, platform, proxy } = this.#scene
    while (expected.size < deliveries) {
      const round = this.#rounds.length
      const changes = platform.move((nth) => ({ etaHours: (nth + round) % 7 === 0 ? 1 : 48 }), systemClock.now())
      for (const change of changes) this.#oracle.take(change, filter)
      this.#rounds.push({ at: changes[0]?.at ?? 0, rows: expected.size })
      await until(
        () => proxy.rows.size >= expected.size,
        () => `${proxy.rows.size} of ${expected.size} came in round ${round}: ${daemons.said.slice(-2_000)}`,
      )
    }
  }

  /** Kills a daemon at moments of the run; one of several stays dead once until another has its accounts. */
  async kill(): Promise<void> {
    const { daemons, options, proxy } = this.#scene
    const at = Array.from({ length: options.kills }, () => this.#random.whole(1, Math.floor(options.deliveries * 0.95)))
    for (const [nth, count] of at.toSorted((a, b) => a - b).entries()) {
      await proxy.took(count)
      const isTakenOver = daemons.works.length > 1 && nth === Math.floor(options.kills / 2)
      await daemons.inTurn(async () => await this.#restarted(isTakenOver))
    }
  }

  async #restarted(isTakenOver: boolean): Promise<void> {
    const { daemons, receiver } = this.#scene
    const which = isTakenOver ? this.#reader() : this.#random.whole(0, daemons.works.length - 1)
    await daemons.kill(which)
    receiver.restart()
    if (isTakenOver) await this.#takenOver(1 - which)
    await daemons.start(which)
  }

  /** One that has something to be taken over: as soon as it was started again, another may have all. */
  #reader(): number {
    const { daemons } = this.#scene
    const held = /"held":(\d+)(?!.*"held":)/s.exec(daemons.saidBy(0).replaceAll('"held":null', ''))
    return Number(held?.[1] ?? 0) > 0 ? 0 : 1
  }

  async #takenOver(by: number): Promise<void> {
    const { daemons } = this.#scene
    const isSo = (): boolean => takeOversIn(daemons.saidBy(by)) > 0
    await until(isSo, () => `nobody took over: ${daemons.saidBy(by).slice(-2_000)}`, KNOWN_WITHIN_MS)
  }

  /** All is there, as the receiver knows by itself; then it is compared with what had to be sent. */
  async end(): Promise<void> {
    const { proxy, receiver } = this.#scene
    const { expected } = this.#oracle
    const isWhole = (): boolean => receiver.isWhole && receiver.marks.at(-1)?.position === expected.size
    const last = (): string =>
      JSON.stringify({ ...receiver.marks.at(-1), expected: expected.size, seen: proxy.rows.size })
    await until(isWhole, last, KNOWN_WITHIN_MS).catch((error: unknown) => this.problems.push(String(error)))
    const listed = new Set<string>()
    for (let after: number | null = 0; after !== null;) {
      const page = await receiver.page(after)
      for (const [nth, { payload, position, state }] of page.items.entries()) {
        if (position !== after + nth + 1) this.problems.push(`the feed has a hole before ${position}`)
        if (state !== 'delivered') this.problems.push(`${position} is ${state}`)
        listed.add(keyOf(JSON.parse(JSON.stringify(payload))))
      }
      after = page.next
    }
    this.problems.push(
      ...difference(expected, listed, 'was not sent'),
      ...difference(listed, expected, 'had not to be sent'),
    )
    if (receiver.has.size !== expected.size)
      this.problems.push(`the receiver has ${receiver.has.size} of ${expected.size}`)
    this.problems.push(...this.#unread())
  }

  /** What was shown before a list was read, as a watermark says, has its rows in it. */
  #unread(): readonly string[] {
    return this.#scene.receiver.marks.flatMap(({ position, readAt }) => {
      const due = this.#rounds.findLast(({ at }) => at < readAt)?.rows ?? 0
      return position < due
        ? [`a watermark says ${position} rows of what was read at ${readAt}, and ${due} were due`]
        : []
    })
  }

  report(): Omit<CompleteReport, 'seconds'> {
    const { daemons, proxy, receiver } = this.#scene
    const losses = [...receiver.losses.values()]
    const problems = [...this.problems, ...receiver.problems, ...proxy.problems]
    return {
      problems: problems.slice(0, MOST_PROBLEMS),
      deliveries: proxy.rows.size,
      repeats: proxy.repeats,
      lost: proxy.lost.length,
      healed: losses.filter(({ healed }) => healed !== null).length,
      watermarks: receiver.marks.length,
      swallowedWatermarks: proxy.swallowedWatermarks,
      kills: daemons.kills,
      takeOvers: takeOversIn(daemons.said),
      healedWithinMs: Math.max(0, ...losses.map(({ healed, shown }) => (healed?.at ?? Infinity) - shown.at)),
      healedWithinMarks: Math.max(0, ...losses.map(({ healed, shown }) => (healed?.marks ?? Infinity) - shown.marks)),
    }
  }
}

function difference(some: ReadonlySet<string>, others: ReadonlySet<string>, what: string): readonly string[] {
  return [...some].filter((key) => !others.has(key)).map((key) => `${key} ${what}`)
}

/** How often a daemon that says so took what a dead one had. */
function takeOversIn(said: string): number {
  return said.match(/"taken_over":[1-9]/g)?.length ?? 0
}

interface Written {
  readonly platform: string
  readonly proxy: string
  readonly storage: string
  readonly filter: Filter
}

function configuration({ filter, platform, proxy, storage }: Written): string {
  return `accounts:
${ACCOUNTS.map((name) => `  ${name}: { base_url: "${platform}/${name}", api_key: ${API_KEY}-${name}, budget: { requests: 1000, per: 1s, concurrency: 4 }, watch: { shipments: { every: 500ms } } }`).join('\n')}
subscriptions:
  erp: { url: "${proxy}/erp", secret: ${SECRET}, events: [shipment.eta_changed], watermark: 1s, concurrency: 64, ${filter.yaml} }
delivery: { allow_networks: [127.0.0.0/8], retry: [200ms, 1s, 1s, 1s, 1s] }
storage: ${storage}
http: { listen: "127.0.0.1:0", token: a-token-that-may-do-everything, tokens: { erp: { token: ${TOKEN}, subscription: erp } } }
log: { level: info }
`
}

/** For people. */
export function describeComplete(report: CompleteReport): string {
  const { deliveries, healed, healedWithinMs, kills, lost, problems, repeats, seconds, swallowedWatermarks } = report
  return [
    `${deliveries} deliveries (${repeats} repeated), ${kills} kills, ${report.takeOvers} take-overs: ${lost} lost on the way, ${healed} healed, ` +
      `each shown by the first watermark that had passed it, of ${report.watermarks} (${swallowedWatermarks} more were lost); ` +
      `healed within ${(healedWithinMs / 1_000).toFixed(1)} s and ${report.healedWithinMarks} more watermarks, daemons that start included; ${problems.length === 0 ? 'no false alarm' : 'PROBLEMS'}, ${seconds.toFixed(0)} s`,
    ...problems,
  ].join('\n  ')
}
