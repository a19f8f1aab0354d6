import { LoopbackPlatform, API_KEY } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET, type Received } from '../support/loopback-receiver.ts'
import { Workplace } from '../support/shipbell.ts'

export interface YardPlan {
  readonly accounts: readonly string[]
  /** Of each account. */
  readonly shipments: number
  /** How often each list is read. */
  readonly every: string
  /** How long the receiver takes for each answer; left out: 5 ms. */
  readonly answersAfterMs?: number
  /** Lines of YAML under these keys, for what else the same workers do. */
  readonly beside?: { readonly accounts: readonly string[]; readonly subscriptions: readonly string[] }
}

/** The budget of each account. */
export const BUDGET = { requests: 20, perMs: 1_000, concurrency: 2 }
/** The platform sees a request a little after it was counted. */
const ON_THE_WAY_MS = 200
/** Attempts of the subscription that may be under way at once, of all workers together. */
export const PLACES = 4

export interface YardPlatform {
  readonly platform: LoopbackPlatform
  /** When it was asked. */
  readonly times: number[]
}

/** A platform for each account and a receiver, between which several programs work on one database. */
export class Yard implements AsyncDisposable {
  readonly receiver: LoopbackReceiver
  readonly platforms = new Map<string, YardPlatform>()
  readonly #plan: YardPlan
  readonly #stack = new AsyncDisposableStack()
  readonly #rounds = new Map<string, number>()
  /** Attempts at the receiver under way, and the most that there were. */
  #underWay = 0
  mostUnderWay = 0

  private constructor(plan: YardPlan, receiver: LoopbackReceiver) {
    this.#plan = plan
    this.receiver = this.#stack.use(receiver)
    receiver.answer = async () => {
      this.#underWay += 1
      this.mostUnderWay = Math.max(this.mostUnderWay, this.#underWay)
      await new Promise((resolve) => setTimeout(resolve, plan.answersAfterMs ?? 5))
      this.#underWay -= 1
      return 200
    }
  }

  static async open(plan: YardPlan): Promise<Yard> {
    const yard = new Yard(plan, await LoopbackReceiver.start())
    for (const account of plan.accounts) {
      const platform = yard.#stack.use(await LoopbackPlatform.start())
      const times: number[] = []
      platform.replace = () => {
        times.push(performance.now())
        return null
      }
      yard.platforms.set(account, { platform, times })
    }
    for (const id of yard.ids) yard.change(id)
    return yard
  }

  /** Of all shipments. */
  get ids(): readonly string[] {
    const { accounts, shipments } = this.#plan
    return accounts.flatMap((account) => Array.from({ length: shipments }, (_, nth) => `${account}-${nth}`))
  }

  /** The next state of a shipment. */
  change(id: string): void {
    this.#rounds.set(id, (this.#rounds.get(id) ?? 0) + 1)
    const [account = ''] = id.split('-')
    const platform = this.platforms.get(account)?.platform
    if (platform === undefined) throw new Error(`there is no account ${account}`)
    platform.shipments = this.ids
      .filter((each) => each.startsWith(`${account}-`) && this.#rounds.has(each))
      .map((each) => ({ platform_shipment_id: each, status: 'in_progress', name: this.lastOf(each) }))
  }

  /** What its shipments are named by now. */
  lastOf(id: string): string {
    return `round ${this.#rounds.get(id)}`
  }

  /** A folder with the configuration of a worker that reaches the database at this address. */
  workplace(url: string): Workplace {
    const work = this.#stack.use(new Workplace())
    const { concurrency, requests } = BUDGET
    const accounts = [...this.platforms].map(
      ([name, { platform }]) =>
        `  ${name}: { base_url: "${platform.url}", api_key: ${API_KEY}, budget: { requests: ${requests}, per: 1s, concurrency: ${concurrency} },` +
        ` watch: { shipments: { every: ${this.#plan.every} } } }`,
    )
    const beside = this.#plan.beside ?? { accounts: [], subscriptions: [] }
    const own = `accounts: [${this.#plan.accounts.join(', ')}], events: ["shipment.*", "account.*"]`
    work.write(
      'shipbell.yaml',
      `accounts:\n${[...accounts, ...beside.accounts].join('\n')}
subscriptions:
  erp: { url: "${this.receiver.url}", secret: ${SECRET}, ${own}, order: subject, concurrency: ${PLACES} }
${beside.subscriptions.join('\n')}
delivery: { allow_networks: [127.0.0.0/8], retry: [100ms, 1s, 1s, 1s, 1s] }
storage: { url: "${url}" }
http: false
`,
    )
    return work
  }

  /** Accounts that were learnt, as far as the receiver heard. */
  get baselined(): number {
    const done = this.receiver.received.filter(({ payload }) => payload.type === 'account.baseline_completed')
    return new Set(done.map(({ id }) => id)).size
  }

  /** Shipments whose last state has not arrived. */
  get missing(): readonly string[] {
    const told = new Map<string, { readonly version: number; readonly name: string }>()
    for (const { payload } of this.changes) {
      const { id, version } = payload.subject
      if (version > (told.get(id)?.version ?? 0)) told.set(id, { version, name: nameOf(payload) })
    }
    return this.ids.filter((id) => (told.get(id)?.name ?? 'round 1') !== this.lastOf(id))
  }

  /** What arrived of shipments, repeats among it. */
  get changes(): readonly Received[] {
    return this.receiver.received.filter(({ payload }) => payload.type.startsWith('shipment.'))
  }

  /** What is wrong with what arrived: events out of turn, broken chains, names that went back, signatures. */
  get faults(): readonly string[] {
    const faults = [...this.receiver.problems]
    const last = new Map<string, Received>()
    const seen = new Set<string>()
    for (const each of this.changes) {
      if (seen.has(each.id)) continue
      seen.add(each.id)
      const { id, previous_event_id: previous, version } = each.payload.subject
      const before = last.get(id)
      last.set(id, each)
      if (version !== (before?.payload.subject.version ?? 0) + 1) faults.push(`${id}: ${version} out of turn`)
      if (before !== undefined && previous !== before.id) faults.push(`${id}: the chain of ${version} is broken`)
      if (before !== undefined && roundOf(each) <= roundOf(before)) faults.push(`${id}: ${version} went back`)
    }
    return faults
  }

  /** The most requests that a platform has seen within a window. */
  get mostWithinWindow(): number {
    return Math.max(...[...this.platforms.values()].map(({ times }) => mostWithin(times)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

function nameOf(payload: Received['payload']): string {
  const { data } = payload
  const object = typeof data === 'object' && data !== null && 'object' in data ? data['object'] : null
  return typeof object === 'object' && object !== null && 'name' in object && typeof object['name'] === 'string'
    ? object['name']
    : ''
}

function roundOf({ payload }: Received): number {
  return Number(nameOf(payload).split(' ').at(1))
}

/** The most of these requests within a window of the budget, less the way that they took. */
export function mostWithin(times: readonly number[]): number {
  let [most, from] = [0, 0]
  for (const [nth, at] of times.entries()) {
    while ((times[from] ?? at) <= at - (BUDGET.perMs - ON_THE_WAY_MS)) from += 1
    most = Math.max(most, nth - from + 1)
  }
  return most
}
