import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { Outcome } from '../../src/platform/outcome.ts'
import { Committer } from '../../src/poll/committer.ts'
import { ENDLESS_PATIENCE, AccountClient } from '../../src/poll/requests/account-client.ts'
import { Limiter } from '../../src/poll/requests/limiter.ts'
import { type Tenant, tenantOf } from '../../src/poll/requests/tenant.ts'
import type { Priority } from '../../src/poll/requests/priority-queue.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { StoreFile } from '../support/store-file.ts'

const MINUTE = 60_000
const observe = async (): Promise<void> => undefined
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface Budget {
  readonly requests: number
  readonly perMs: number
}

/** A store, and processes that one after the other ask with the key of the same accounts. */
class Key implements AsyncDisposable {
  readonly clock = new FakeClock()
  readonly #file = new StoreFile()
  readonly #committer = new Committer({
    store: this.#file.store,
    clock: this.clock,
    subscriptions: () => [],
    onDeliveries: () => undefined,
  })

  process(...budgets: readonly Budget[]): Process {
    return new Process(this.clock, this.#committer, budgets)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]()
  }
}

interface Member {
  readonly account: AccountSettings
  readonly tenant: Tenant
}

class Process {
  readonly #clock: FakeClock
  readonly #committer: Committer
  #members: readonly Member[]
  readonly #limiter: Limiter
  /** Ends with the process. */
  readonly #end = new AbortController()

  constructor(clock: FakeClock, committer: Committer, budgets: readonly Budget[]) {
    this.#clock = clock
    this.#committer = committer
    this.#members = this.#membersOf(budgets)
    const [first, ...others] = this.#members
    if (first === undefined) throw new Error('a key has an account')
    this.#limiter = new Limiter({ clock, random: () => 0 }, first.tenant)
    for (const { tenant } of others) this.#limiter.join(tenant)
  }

  reload(...budgets: readonly Budget[]): void {
    for (const { tenant } of this.#members) this.#limiter.leave(tenant)
    this.#members = this.#membersOf(budgets)
    for (const { tenant } of this.#members) this.#limiter.join(tenant)
  }

  /** One account for each budget. */
  #membersOf(budgets: readonly Budget[]): readonly Member[] {
    return budgets.map((budget, nth) => {
      const limits = { ...budget, concurrency: 1_000_000, share: 1 }
      const account = { ...BOUNDLESS_ACCOUNT, name: `account-${nth}`, budget: limits }
      return { account, tenant: tenantOf(account, this.#committer) }
    })
  }

  /** Sends for an account as much as may be sent now, of so many requests. Returns how many those were. */
  async send(
    amount: number,
    options: { readonly nth?: number; readonly priority?: Priority; readonly isAnswered?: boolean } = {},
  ): Promise<number> {
    const { nth = 0, priority = 'due', isAnswered = true } = options
    const tenant = this.#members[nth]?.tenant
    if (tenant === undefined) throw new Error(`there is no account ${nth}`)
    const accountClient = new AccountClient({ limiter: this.#limiter, tenant, patience: ENDLESS_PATIENCE, observe })
    let sent = 0
    const ask = async (): Promise<Outcome<null>> => {
      sent += 1
      const at = this.#clock.now()
      if (!isAnswered) await new Promise(() => undefined)
      const exchange = { method: 'GET', path: '/', sentAt: at, answeredAt: at, status: 200, bytes: 1 }
      return { kind: 'ok', value: null, exchange }
    }
    for (let asked = 0; asked < amount; asked += 1) {
      accountClient.request(ask, { of: 'item', priority, signal: this.#end.signal }).catch(() => undefined)
    }
    await this.#clock.advance(0)
    return sent
  }

  stop(): void {
    this.#end.abort(new Error('stopped'))
  }
}

describe('a budget', () => {
  test.each([
    ['a minute', MINUTE],
    ['an hour', HOUR],
    ['a day', DAY],
    ['thirty days', 30 * DAY],
  ])('of %s is one budget, however often the process is another', async (_name, perMs) => {
    await using key = new Key()
    let sent = 0
    for (let restarts = 0; restarts < 4; restarts += 1) {
      const process = key.process({ requests: 10, perMs })
      sent += await process.send(4)
      process.stop()
      await key.clock.advance(perMs / 5)
    }
    expect(sent).toBe(10)
    // What is written down is known to the minute.
    await key.clock.advance(perMs + MINUTE)
    expect(await key.process({ requests: 10, perMs }).send(40)).toBe(10)
  })

  test('counts what any account has sent with its key, whatever budget of its own that has', async () => {
    await using key = new Key()
    const budgets = [
      { requests: 60, perMs: MINUTE },
      { requests: 100, perMs: HOUR },
    ]
    const before = key.process(...budgets)
    expect(await before.send(1_000, { nth: 0 })).toBe(60)
    before.stop()
    await key.clock.advance(10 * MINUTE)
    expect(await key.process(...budgets).send(1_000, { nth: 1 })).toBe(40)
  })

  test('counts what was under way when the process died', async () => {
    await using key = new Key()
    const budget = { requests: 10, perMs: HOUR }
    expect(await key.process(budget).send(4, { isAnswered: false })).toBe(4)
    expect(await key.process(budget).send(40)).toBe(6)
  })

  test('that a reload makes longer counts what was sent in all its length', async () => {
    await using key = new Key()
    const process = key.process({ requests: 60, perMs: MINUTE })
    for (let times = 0; times < 3; times += 1) {
      expect(await process.send(60)).toBe(60)
      await key.clock.advance(2 * MINUTE)
    }
    process.reload({ requests: 200, perMs: HOUR })
    expect(await process.send(1_000)).toBe(20)
  })

  test('goes on evenly where the last process spent it evenly', async () => {
    await using key = new Key()
    const budget = { requests: 240, perMs: 4 * HOUR }
    const before = key.process(budget)
    for (let minute = 0; minute < 120; minute += 1) {
      await before.send(1)
      await key.clock.advance(MINUTE)
    }
    before.stop()
    const after = key.process(budget)
    let spare = 0
    for (let minute = 0; minute < 60; minute += 1) {
      spare += await after.send(1, { priority: 'spare' })
      await key.clock.advance(MINUTE)
    }
    expect(spare).toBeGreaterThan(50)
  })
})
