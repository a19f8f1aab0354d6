import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../../src/model/json.ts'
import { FilterOracle, type Passing } from './filter-oracle.ts'
import type { Change } from './moving-accounts.ts'

export interface Owner {
  readonly name: string
  readonly token: string
  readonly accounts: readonly [string, string]
}

/** What a subscription asks for, and what that means. */
interface Wish {
  readonly keys: JsonObject
  readonly passing: Passing
  /** Texts that no payload may have. */
  readonly without?: readonly string[]
  readonly isOrdered?: true
}

const ETA = 'shipment.eta_changed'
const STATUS = 'shipment.status_changed'
const UPDATED = 'shipment.updated'

/** What owners wish for, by turns. */
const WISHES: readonly ((accounts: readonly [string, string]) => Wish)[] = [
  () => ({ keys: { events: ['shipment.*'] }, passing: {} }),
  ([first]) => ({ keys: { events: ['shipment.*'], accounts: [first] }, passing: { accounts: [first] } }),
  () => ({ keys: { events: [STATUS], payload: 'thin' }, passing: { types: [STATUS] }, without: ['"object":{'] }),
  () => ({ keys: { events: [ETA], min_shift: '12h' }, passing: { types: [ETA], shiftHours: 12 } }),
  () => ({
    keys: { events: ['shipment.*'], where: 'data.shipment.freight_mode == "ocean"' },
    passing: { modes: ['ocean'] },
  }),
  ([, second]) => ({
    keys: { events: [UPDATED, STATUS], accounts: [second] },
    passing: { types: [UPDATED, STATUS], accounts: [second] },
  }),
  // An event of which nothing is left is not sent.
  () => ({
    keys: { events: ['shipment.*'], omit: ['/main_forwarder'] },
    passing: { types: [ETA, STATUS] },
    without: ['main_forwarder', '"Forwarder '],
  }),
  () => ({ keys: { events: ['shipment.*'], order: 'subject' }, passing: {}, isOrdered: true }),
  () => ({
    keys: { events: ['*'], min_shift: '3h', where: 'data.shipment.freight_mode != "ocean"' },
    passing: { modes: ['air', 'truck'], shiftHours: 3 },
  }),
  () => ({ keys: { events: ['shipment.*'], watermark: '2s' }, passing: {} }),
  () => ({ keys: { events: [ETA, UPDATED], rate: { requests: 500, per: '1s' } }, passing: { types: [ETA, UPDATED] } }),
]

/** What a wish need not name: null takes it back to its default. */
const OPTIONAL = ['accounts', 'where', 'min_shift', 'payload', 'omit', 'order', 'rate', 'watermark']
const DEFAULTS: JsonObject = Object.fromEntries(OPTIONAL.map((key) => [key, null]))

export const WISHES_COUNT = WISHES.length

/** `held`: nothing is sent and all is held; `deaf`: nothing is made for it; `ended`: what was under way may still come. */
export type OwnedState = 'open' | 'held' | 'deaf' | 'ended'

/** A subscription made at run time as its owner has it, and what must come at its target. */
export class OwnedSubscription {
  readonly name: string
  readonly owner: Owner
  readonly oracle = new FilterOracle()
  /** What came, by key, and the id that it had. */
  readonly received = new Map<string, string>()
  /** The keys of what came, by position. */
  readonly places = new Map<number, string>()
  readonly series = new Set<string>()
  /** The series that a subscription of its name had before. */
  earlier: ReadonlySet<string> = new Set()
  /** When it became another one: a moment later what is no row may still be as before, for it is sent at any time. */
  changedAt = 0
  #state: OwnedState = 'open'
  /** When its end was answered. */
  endedAt = Infinity
  /** The newest last; all sign. */
  secrets: string[] = []
  isTestRefused = false
  target = ''
  header = ''
  #wish: Wish

  constructor(name: string, owner: Owner, wish: number) {
    this.name = name
    this.owner = owner
    this.#wish = wishOf(wish, owner)
    this.readdress()
  }

  get state(): OwnedState {
    return this.#state
  }

  set state(state: OwnedState) {
    this.#state = state
    this.changedAt = performance.now()
  }

  get wish(): Wish {
    return this.#wish
  }

  /** What is posted to make it. */
  made(base: string): JsonObject {
    return { name: this.name, ...this.#wish.keys, ...this.address(base) }
  }

  address(base: string): JsonObject {
    return { url: `${base}/in/${this.name}?key=${this.target}`, headers: { 'x-own-key': this.header } }
  }

  /** Another address, and another header. */
  readdress(): void {
    this.target = randomBytes(24).toString('base64url')
    this.header = `own-${randomBytes(24).toString('hex')}`
  }

  /** Wishes for something else; returns what a PATCH says. */
  rewish(wish: number): JsonObject {
    this.#wish = wishOf(wish, this.owner)
    if (this.#wish.passing.shiftHours === undefined) this.oracle.forget()
    return { ...DEFAULTS, ...this.#wish.keys }
  }

  /** A change that was made while it was in force. */
  take(change: Change): void {
    const { accounts } = this.owner
    if (this.state === 'ended' || this.state === 'deaf' || !accounts.includes(change.account)) return
    this.oracle.take(change, this.#wish.passing)
  }

  /** What is wrong with the positions of what came, once all of it has. A name that is made anew goes on behind the numbers that it had. */
  get misplaced(): readonly string[] {
    const positions = [...this.places.keys()].toSorted((one, other) => one - other)
    const first = positions[0] ?? 1
    const isWhole = positions.length === this.received.size && positions.every((each, nth) => each === first + nth)
    const isFirst = first === 1 || this.earlier.size > 0
    return [
      ...(isWhole && isFirst ? [] : [`${this.name} has ${this.received.size} events, at ${positions.join(' ')}`]),
      ...[...this.series]
        .filter((each) => this.earlier.has(each))
        .map((each) => `${this.name} has its earlier series ${each}`),
      ...(this.series.size > 1 ? [`${this.name} has the series ${[...this.series].join(' ')}`] : []),
    ]
  }

  /** How many events must have come and did not. */
  get missing(): number {
    return this.state === 'open' ? this.oracle.expected.size - this.received.size : 0
  }
}

function wishOf(nth: number, { accounts }: Owner): Wish {
  const wish = WISHES[nth % WISHES.length]
  if (wish === undefined) throw new Error('there are no wishes')
  return wish(accounts)
}
