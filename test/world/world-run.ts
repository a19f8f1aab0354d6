import { judgeHold } from '../support/judge-hold.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import { randomOf, type Random } from '../../src/sandbox/random.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { WATCH, WATCH_MORE } from '../poll/polling.ts'
import { ERAS, LEADS, leadMs, ZONES, type AccountFacts } from './account-facts.ts'
import type { Trouble } from './desk.ts'
import { same } from './facts.ts'
import { HostilePlatform, type HostilePlatformOptions, type WorldPlatform } from './hostile-platform.ts'
import { Invariants } from './invariants.ts'
import { OpenExceptions } from './open-exceptions.ts'
import { collectItems } from '../../src/model/page.ts'
import { MissedExpectations, RULES } from './missed-expectations.ts'
import { LeapingClock } from './leaping-clock.ts'
import { OrderFates } from './order-fates.ts'
import { multisetDifference } from './multiset-difference.ts'
import { Oracle } from './oracle.ts'
import { emitted } from './emitted.ts'
import { REFERENCES, World, type Kind } from './world.ts'
import { WorldProcess } from './world-process.ts'
import { eventsOf } from '../support/log-rows.ts'

export interface Round {
  /** One seed for each thing that happens at the platform before the pass. */
  readonly mutations: readonly number[]
  /** Probabilities: of a fault per request, of a mutation after each, of a kill at each side of a commit. */
  readonly faults: number
  readonly drift: number
  readonly kills: number
  readonly restart: boolean
  /** How much time goes by before it. */
  readonly leapMs: number
  /** What happens to one list as a whole; `list` counts them, from anywhere. */
  readonly upheaval: Upheaval | null
  /** What an operator says of whatever is held. */
  readonly verdict: 'accept' | 'reject' | null
}

export interface Upheaval {
  readonly list: number
  readonly kind: Trouble['kind'] | 'exodus' | 'homecoming'
  /** Of an exodus: about as many as may go at once. */
  readonly size: number
  /** For how many rounds the list is not what it is. */
  readonly rounds: number
  readonly findsById: boolean
}

export interface WorldRunOptions {
  readonly account: string
  readonly seed: number
  /** What the world has and the account watches, shipments with their tracking; those named twice change more often. */
  readonly resources: readonly Kind[]
  readonly fewest: number
  /** The store, opened anew where `again` is true. */
  readonly open: (again: boolean) => Promise<Store>
  /** The way of a new process to the platform; default: without a wire. */
  readonly connect?: (options: HostilePlatformOptions) => WorldPlatform
}

export interface Findings {
  readonly missed: readonly string[]
  readonly invented: readonly string[]
  readonly broken: readonly string[]
}

const QUIET: Round = {
  mutations: [],
  faults: 0,
  drift: 0,
  kills: 0,
  restart: false,
  leapMs: 600_000,
  upheaval: null,
  verdict: null,
}

/** One account's life: the world, the process that polls it, dies and is started again, and the oracle. */
export class WorldRun implements AsyncDisposable {
  readonly world: World
  readonly #options: WorldRunOptions
  readonly #random: Random
  readonly #facts: AccountFacts
  readonly #clock: LeapingClock
  readonly #oracle: Oracle
  readonly #invariants = new Invariants()
  readonly #fates = new OrderFates()
  readonly #exceptions: OpenExceptions
  readonly #expectations: MissedExpectations
  /** The calendar's present when events were compared last. */
  #calendarAt = 0
  readonly #mostRows: number
  #process: WorldProcess | null = null
  #trouble: { readonly what: Trouble; readonly roundsLeft: number } | null = null
  events = 0
  expected = 0
  deaths = 0
  /** Of the events: what date and time brought about, and what was held. */
  byCalendar = 0
  held = 0

  constructor(options: WorldRunOptions) {
    this.#options = options
    const random = randomOf('world', options.seed)
    this.#random = random
    this.#mostRows = random.pick([3, 5, 100])
    const graceMs = random.pick([0, 24 * 3_600_000])
    this.#facts = { account: options.account, zone: random.pick(ZONES), leads: random.pick(LEADS), graceMs }
    const era = random.pick(ERAS)
    this.#clock = new LeapingClock(era)
    this.#exceptions = new OpenExceptions(this.#facts)
    this.#expectations = new MissedExpectations(this.#facts.zone)
    this.#oracle = new Oracle(this.#facts, () => this.#clock.calendarNow())
    const isForgettable = (resource: Kind, id: string): boolean => this.#oracle.isRemoved(resource, id)
    this.world = new World({ ...options, random, era, isForgettable })
  }

  /** Something happens, a pass reads it, and what rang is compared with what must have. */
  async round(round: Round): Promise<Findings> {
    return this.#live(round, false)
  }

  /** Enough passes in peace that whatever is gone is removed, and all that is there is known. */
  async settle(): Promise<readonly Findings[]> {
    this.#trouble = null
    await this.#end()
    const first = await this.#live(QUIET, false)
    const second = await this.#live(QUIET, false)
    const last = await this.#live(QUIET, true)
    const untrue = await this.#untrue(await this.#options.open(false))
    return [
      first,
      second,
      { ...last, broken: [...last.broken, ...this.#disagreements(), ...this.#wrongFates(), ...untrue] },
    ]
  }

  async #live(round: Round, isPatient: boolean): Promise<Findings> {
    for (const seed of round.mutations) this.world.mutate(randomOf('mutation', seed))
    this.#clock.jump(this.#clock.now() + round.leapMs)
    this.#clock.turnCalendar()
    this.#upheave(round.upheaval)
    if (round.restart) await this.#end()
    const since = this.#clock.now()
    const store = await this.#options.open(round.restart)
    await this.#judge(store, round.verdict)
    this.#process ??= this.#start(store)
    this.#process.kills = round.kills
    this.#process.platform.hostility = { ...round, trouble: this.#trouble?.what ?? null }
    const wasRead = await this.#pass(this.#process, since, isPatient)
    return this.#compare(store, since, wasRead)
  }

  /** Returns whether everything was read. */
  async #pass(process: WorldProcess, startedAt: number, isPatient: boolean): Promise<boolean> {
    const passes = await process.pass()
    if (passes === null) this.deaths += 1
    else {
      const lagMs = this.#clock.now() - this.#clock.calendarNow()
      this.#oracle.roundEnded({ startedAt, lagMs, isPatient })
    }
    this.#oracle.nextRound()
    // As a program does that runs once: the next one begins with patience.
    const wasRead = passes?.every(({ incomplete }) => incomplete === null) === true
    if (!wasRead) await this.#end()
    return wasRead
  }

  /** How many expectations were missed aloud. */
  get missedExpectations(): number {
    return this.#expectations.missed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }

  async #end(): Promise<void> {
    await this.#process?.platform[Symbol.asyncDispose]()
    this.#process = null
  }

  #upheave(upheaval: Upheaval | null): void {
    const roundsLeft = (this.#trouble?.roundsLeft ?? 0) - 1
    this.#trouble = this.#trouble === null || roundsLeft <= 0 ? null : { ...this.#trouble, roundsLeft }
    if (upheaval === null) return
    const { resources } = this.#options
    const { findsById, kind, list, rounds, size } = upheaval
    const resource = resources[list % resources.length] ?? 'shipment'
    switch (kind) {
      case 'exodus':
        return this.world.exodus(resource, size)
      case 'homecoming':
        return this.world.homecoming(resource)
      case 'empty':
      case 'foreign':
        this.#trouble = { what: { resource, kind, findsById }, roundsLeft: rounds }
        return undefined
      case 'contradicted':
        this.#trouble = { what: { resource: 'invoice', kind, findsById }, roundsLeft: rounds }
        return undefined
      default:
        return kind satisfies never
    }
  }

  async #judge(store: Store, verdict: Round['verdict']): Promise<void> {
    if (verdict === null) return
    for (const resource of new Set(this.#options.resources)) {
      const obeyed = await judgeHold(store, { account: this.#options.account, resource }, verdict)
      this.#oracle.judged(resource, verdict, obeyed)
    }
  }

  async #compare(store: Store, since: number, wasRead: boolean): Promise<Findings> {
    const { expected, violations } = this.#oracle.tally.take()
    const filter = { account: this.#options.account, since, limit: 1_000_000 }
    const all = (await eventsOf(store, filter)).toSorted((a, b) => a.sequence - b.sequence)
    const told = all.filter(({ cause, type }) => cause !== 'derived' && !type.startsWith('expectation.'))
    const rang = told.filter(({ subject, type }) => subject.resource !== 'account' || type === 'account.removals_held')
    this.byCalendar += rang.filter(({ cause }) => cause === 'calendar').length
    this.held += rang.filter(({ type }) => type === 'account.removals_held').length
    this.events += rang.length
    this.expected += expected.length
    const difference = multisetDifference(expected, rang.map(emitted))
    const now = this.#clock.calendarNow()
    const calendar = [Math.min(this.#calendarAt, now), now] as const
    this.#exceptions.hear(all, calendar)
    const untold = this.#expectations.hear(all, calendar)
    this.#calendarAt = now
    const { missed, others } = await this.#told(store)
    const exceptions = this.#exceptions.complaints(others)
    const expectations = this.#expectations.complaints(missed, this.#subjects(), wasRead)
    const fates = this.#fates.hear(all)
    const broken = [...violations, ...this.#invariants.check(all), ...fates, ...exceptions, ...untold, ...expectations]
    return { ...difference, broken }
  }

  /** What expectations can be about and is known. */
  #subjects(): ReadonlySet<string> {
    return new Set((['shipment', 'invoice'] as const).flatMap((resource) => [...this.#oracle.present(resource).keys()]))
  }

  /** The exceptions of the store: those of missed expectations, and those of shipments and invoices. */
  async #told(store: Store) {
    const told = await collectItems((page) => store.exceptionPage({ ...page, now: 0, account: this.#options.account }))
    return {
      missed: told.filter(({ type }) => type === 'expectation.missed'),
      others: told.filter(({ type }) => !/^(?:expectation|purchase_order)\./.test(type)),
    }
  }

  /** Where what is open is another thing than what is true after quiet passes, but for lists that are held. */
  async #untrue(store: Store): Promise<readonly string[]> {
    const known = (resource: 'shipment' | 'invoice' | 'purchase_order') =>
      this.#oracle.isHeld(resource) ? new Map() : this.#oracle.present(resource)
    const truth = { shipments: known('shipment'), invoices: known('invoice'), today: this.#clock.calendarNow() }
    const orders = this.#watches('purchase_order') ? known('purchase_order') : null
    const { missed, others } = await this.#told(store)
    return [...this.#exceptions.untrue(others, truth), ...this.#expectations.untrue(missed, { ...truth, orders })]
  }

  /** Whether a list is watched, and believed. */
  #watches(resource: 'purchase_order'): boolean {
    return this.#options.resources.includes(resource) && !this.#oracle.isHeld(resource)
  }

  /** Where what is known differs from the truth after quiet passes, but for lists that are held. */
  #disagreements(): readonly string[] {
    return [...new Set(this.#options.resources)].flatMap((resource) => {
      if (this.#oracle.isHeld(resource)) return []
      const known = this.#oracle.present(resource)
      const rows = this.world.of(resource)
      const ids = new Set(rows.map(({ id }) => id))
      return [
        ...rows.filter(({ id, facts }) => !same(known.get(id), facts)).map(({ id }) => `${resource} ${id}: not known`),
        ...[...known.keys()].filter((id) => !ids.has(id)).map((id) => `${resource} ${id}: known for too long`),
      ]
    })
  }

  #wrongFates(): readonly string[] {
    const isHeld = this.#oracle.isHeld('purchase_order') || this.#oracle.isHeld('shipment')
    return isHeld ? [] : this.#fates.wrong(this.world)
  }

  #start(store: Store): WorldProcess {
    const { account, connect = (options) => new HostilePlatform(options), resources } = this.#options
    const common = { clock: this.#clock, oracle: this.#oracle, random: this.#random }
    const platform = connect({ ...common, world: this.world, mostRows: this.#mostRows })
    const settings = { ...ACCOUNT, name: account, timeZone: this.#facts.zone, watch: watchOf(resources, this.#facts) }
    return new WorldProcess({ ...common, account: settings, platform, store })
  }
}

const ACCOUNT: Omit<AccountSettings, 'watch'> = {
  name: '',
  baseUrl: 'https://platform.example',
  apiKey: 'key',
  timeZone: 'UTC',
  budget: { requests: 10_000, perMs: 1, concurrency: 4, share: 1 },
  timeoutMs: 30_000,
  settleMs: 0,
  firstPoll: 'baseline',
  shipmentIdField: null,
  expectations: RULES,
}

function watchOf(resources: readonly Kind[], { graceMs, leads }: AccountFacts): AccountSettings['watch'] {
  const shipments = { ...WATCH.shipments, milestoneGraceMs: graceMs }
  const order_preparations = { ...WATCH_MORE.order_preparations, references: REFERENCES }
  return {
    ...(resources.includes('shipment') ? { shipments, tracking: WATCH.tracking } : {}),
    ...(resources.includes('invoice') ? { invoices: { ...WATCH.invoices, dueSoonMs: leads.map(leadMs) } } : {}),
    ...(resources.includes('document') ? { documents: WATCH_MORE.documents } : {}),
    ...(resources.includes('purchase_order') ? { purchase_orders: WATCH_MORE.purchase_orders } : {}),
    ...(resources.includes('location') ? { locations: WATCH_MORE.locations } : {}),
    ...(resources.includes('order_preparation') ? { order_preparations } : {}),
  }
}
