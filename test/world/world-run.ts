import type { AccountSettings } from '../../src/model/account.ts'
import { RECORD_OF } from '../../src/model/resource.ts'
import { createLogger } from '../../src/log.ts'
import { interfaceFields } from '../../src/platform/interface-fields.ts'
import { AccountPoller } from '../../src/poll/account-poller.ts'
import { Committer } from '../../src/poll/committer.ts'
import { randomOf, type Random } from '../../src/sandbox/random.ts'
import type { Store } from '../../src/store/ports.ts'
import { WATCH, WATCH_MORE } from '../poll/polling.ts'
import { HostilePlatform } from './hostile-platform.ts'
import { Invariants } from './invariants.ts'
import { LeapingClock } from './leaping-clock.ts'
import { Oracle } from './oracle.ts'
import { told } from './told.ts'
import { World, type Listed } from './world.ts'

export interface Round {
  /** One seed for each thing that happens at the platform before the pass. */
  readonly mutations: readonly number[]
  /** Probabilities: of a fault per request, of a mutation after each, of a kill at each side of a commit. */
  readonly faults: number
  readonly drift: number
  readonly kills: number
  readonly restart: boolean
}

export interface WorldRunOptions {
  readonly account: string
  readonly seed: number
  /** Lists that the world has and the account watches, shipments with their tracking; those named twice change more often. */
  readonly resources: readonly Listed[]
  readonly fewest: number
  /** The store, opened anew where `again` is true. */
  readonly open: (again: boolean) => Promise<Store>
}

export interface Findings {
  readonly missed: readonly string[]
  readonly invented: readonly string[]
  readonly broken: readonly string[]
}

interface Process {
  readonly poller: AccountPoller
  readonly platform: HostilePlatform
}

const QUIET: Round = { mutations: [], faults: 0, drift: 0, kills: 0, restart: false }
const FLOOR = { failures: 3, waitMs: 60_000 }
const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })

/** One account's life: the world, the process that polls it, dies and is started again, and the oracle. */
export class WorldRun {
  readonly world: World
  readonly #options: WorldRunOptions
  readonly #random: Random
  readonly #clock = new LeapingClock()
  readonly #oracle = new Oracle()
  readonly #invariants = new Invariants()
  readonly #mostRows: number
  #kills = 0
  #process: Process | null = null
  events = 0
  expected = 0
  deaths = 0

  constructor(options: WorldRunOptions) {
    this.#options = options
    this.#random = randomOf('world', options.seed)
    this.#mostRows = this.#random.pick([3, 5, 100])
    const isForgettable = (resource: Listed, id: string): boolean => this.#oracle.isRemoved(resource, id)
    this.world = new World({ ...options, random: this.#random, isForgettable })
  }

  /** Something happens, a pass reads it, and what rang is compared with what must have. */
  async round(round: Round): Promise<Findings> {
    for (const seed of round.mutations) this.world.mutate(randomOf('mutation', seed))
    this.#clock.jump(this.#clock.now() + 60_000)
    if (round.restart) this.#process = null
    const since = this.#clock.now()
    const store = await this.#options.open(round.restart)
    this.#process ??= this.#start(store)
    this.#kills = round.kills
    this.#process.platform.hostility = round
    await this.#pass(this.#process)
    return this.#compare(store, since)
  }

  /** Enough passes in peace that whatever is gone is removed. */
  async settle(): Promise<readonly Findings[]> {
    return [await this.round(QUIET), await this.round(QUIET)]
  }

  async #pass({ poller, platform }: Process): Promise<void> {
    const before = new Set(Object.values(RECORD_OF).filter((resource) => this.#oracle.isBaselined(resource)))
    try {
      const passes = await poller.once(new AbortController().signal)
      for (const { resource: watch, incomplete } of passes) {
        const [, resource] = Object.entries(RECORD_OF).find(([name]) => name === watch) ?? []
        if (resource === undefined || resource === 'order_preparation') continue
        this.#oracle.passEnded(resource, incomplete === null, before.has(resource))
      }
    } catch (error) {
      if (!platform.killed) throw error
      this.#oracle.killed()
      this.#process = null
      this.deaths += 1
    }
    this.#oracle.roundEnded()
  }

  async #compare(store: Store, since: number): Promise<Findings> {
    const { expected, violations } = this.#oracle.take()
    const filter = { account: this.#options.account, since, limit: 1_000_000 }
    const all = (await store.events(filter)).toSorted((a, b) => a.sequence - b.sequence)
    const rang = all.filter(({ subject }) => subject.resource !== 'account')
    this.events += rang.length
    this.expected += expected.length
    const difference = multisetDifference(expected, rang.map(told))
    return { ...difference, broken: [...violations, ...this.#invariants.check(all)] }
  }

  #start(store: Store): Process {
    const platform = new HostilePlatform({
      world: this.world,
      clock: this.#clock,
      random: this.#random,
      oracle: this.#oracle,
      mostRows: this.#mostRows,
    })
    const committer = new Committer({
      store: this.#mortal(store, platform),
      subscriptions: () => [],
      onDeliveries: () => undefined,
    })
    const poller = new AccountPoller({
      account: { ...ACCOUNT, name: this.#options.account, watch: watchOf(this.#options.resources) },
      platform,
      committer,
      clock: this.#clock,
      random: () => 0,
      log: LOG,
      progress: () => undefined,
      patience: FLOOR,
      fields: interfaceFields(),
    })
    return { poller, platform }
  }

  /** The store as a process sees it that may die before and after each write; dead, it writes no more. */
  #mortal(store: Store, platform: HostilePlatform): Store {
    const mayDie = (): void => {
      if (this.#random.chance(this.#kills)) platform.killed = true
      if (platform.killed) throw new Error('killed')
    }
    return {
      ...store,
      startPass: async (account, resource, at) => {
        mayDie()
        const state = await store.startPass(account, resource, at)
        this.#oracle.passStarted(resource)
        return state
      },
      commit: async (batch) => {
        mayDie()
        await store.commit(batch)
        this.#oracle.committed(batch)
        mayDie()
      },
    }
  }
}

const ACCOUNT: Omit<AccountSettings, 'watch'> = {
  name: '',
  baseUrl: 'https://platform.example',
  apiKey: 'key',
  timeZone: 'UTC',
  budget: { requests: 10_000, perMs: 1, concurrency: 4 },
  timeoutMs: 30_000,
  settleMs: 0,
  firstPoll: 'baseline',
  shipmentIdField: null,
}

function watchOf(resources: readonly Listed[]): AccountSettings['watch'] {
  return {
    ...(resources.includes('shipment') ? { shipments: WATCH.shipments, tracking: WATCH.tracking } : {}),
    ...(resources.includes('invoice') ? { invoices: WATCH.invoices } : {}),
    ...(resources.includes('document') ? { documents: WATCH_MORE.documents } : {}),
    ...(resources.includes('purchase_order') ? { purchase_orders: WATCH_MORE.purchase_orders } : {}),
    ...(resources.includes('location') ? { locations: WATCH_MORE.locations } : {}),
  }
}

function multisetDifference(
  expected: readonly string[],
  rang: readonly string[],
): { readonly missed: readonly string[]; readonly invented: readonly string[] } {
  const rest = new Map<string, number>()
  for (const each of expected) rest.set(each, (rest.get(each) ?? 0) + 1)
  const invented: string[] = []
  for (const each of rang) {
    const count = rest.get(each) ?? 0
    if (count === 0) invented.push(each)
    else rest.set(each, count - 1)
  }
  const missed = [...rest].flatMap(([each, count]) => Array.from({ length: count }, () => each))
  return { missed, invented }
}
