import { describe, expect, test } from 'vitest'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { outcomeOf, type Trouble } from '../support/trouble.ts'
import { Committer } from '../../src/poll/committer.ts'
import { AccountClient, ENDLESS_PATIENCE } from '../../src/poll/requests/account-client.ts'
import { Limiter } from '../../src/poll/requests/limiter.ts'
import { tenantOf } from '../../src/poll/requests/tenant.ts'
import type { Outcome } from '../../src/platform/outcome.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { eventsOf } from '../support/log-rows.ts'
import { StoreFile } from '../support/store-file.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { onlyShipments } from './known-shipments.ts'
import { NO_CLOCK_IS_SET, Polling, shipments } from './polling.ts'

const MINUTE = 60_000
const WAIT = 5_000_000

function throttled(retryAfterMs: number): Trouble {
  return { kind: 'throttled', retryAfterMs }
}

function told(events: readonly ShipbellEvent[]): readonly unknown[] {
  return events
    .filter(({ type }) => type !== 'account.baseline_completed')
    .map(({ type, extras }) => [type, extras.until ?? extras.was ?? null])
}

async function baselined(): Promise<Polling> {
  const polling = new Polling(onlyShipments, NO_CLOCK_IS_SET)
  polling.platform.shipments = shipments(2)
  await polling.pass()
  return polling
}

/** The first answer of a run is a trouble; from then on the platform answers. */
function once(polling: Polling, trouble: Trouble): void {
  let isOver = false
  polling.platform.trouble = () => {
    if (isOver) return null
    isOver = true
    return trouble
  }
}

describe('a long wait that the platform asks for', () => {
  test('rings once with its end, and once more when requests go again', { tags: 'long' }, async () => {
    await using polling = await baselined()
    once(polling, throttled(WAIT))
    await polling.run(82 * MINUTE)
    const until = new Date((polling.platform.asked.at(-1)?.at ?? 0) + WAIT).toISOString()
    expect(told(await polling.events())).toEqual([['account.paused', until]])
    await polling.run(30 * MINUTE)
    expect(told(await polling.events())).toEqual([
      ['account.paused', until],
      ['account.recovered', 'paused'],
    ])
    const recovered = (await polling.events()).at(-1)
    expect(recovered?.extras).toMatchObject({ was: 'paused', down_since: expect.stringContaining('2026-11-21T08:') })
  })

  test('survives restarts: it rings no more, and what ends it does', { tags: 'long' }, async () => {
    await using polling = await baselined()
    once(polling, throttled(WAIT))
    await polling.run(10 * MINUTE)
    for (let restart = 0; restart < 3; restart += 1) {
      await polling.restart()
      await polling.run(10 * MINUTE)
    }
    expect(told(await polling.events())).toHaveLength(1)
    await polling.clock.advance(60 * MINUTE)
    await polling.restart()
    await polling.run(10 * MINUTE)
    expect(told(await polling.events()).at(-1)).toEqual(['account.recovered', 'paused'])
    await polling.restart()
    await polling.run(10 * MINUTE)
    expect(told(await polling.events())).toHaveLength(2)
  })

  test('is told once, however often it is asked for, until requests go again', async () => {
    await using polling = await baselined()
    let answers = 0
    polling.platform.trouble = () => {
      answers += 1
      return answers <= 3 ? throttled(20 * MINUTE) : null
    }
    await polling.run(90 * MINUTE)
    expect(told(await polling.events()).map((each) => Array.isArray(each) && each[0])).toEqual([
      'account.paused',
      'account.recovered',
    ])
  })

  test.each([
    ['15 minutes', throttled(15 * MINUTE)],
    ['nothing', throttled(0)],
  ])('of %s is silent', async (_, trouble) => {
    await using polling = await baselined()
    once(polling, trouble)
    await polling.run(60 * MINUTE)
    expect(told(await polling.events())).toEqual([])
  })

  test('ends with another key as well', async () => {
    await using polling = await baselined()
    once(polling, throttled(WAIT))
    await polling.run(MINUTE)
    await polling.restart({ ...onlyShipments, apiKey: 'another' })
    await polling.run(5 * MINUTE)
    expect(told(await polling.events()).at(-1)).toEqual(['account.recovered', 'paused'])
  })
})

/** Two accounts of one key, on one store. */
class TwoAccounts implements AsyncDisposable {
  readonly clock = new FakeClock()
  readonly #file = new StoreFile()
  #limiter = this.#begin()

  #committer(): Committer {
    return new Committer({
      store: this.#file.store,
      clock: this.clock,
      subscriptions: () => [],
      onDeliveries: () => undefined,
    })
  }

  #tenant(name: string) {
    return tenantOf({ ...BOUNDLESS_ACCOUNT, name }, this.#committer())
  }

  #begin(): Limiter {
    return new Limiter({ clock: this.clock, random: () => 0 }, this.#tenant('one'))
  }

  join(): void {
    this.#limiter.join(this.#tenant('two'))
  }

  async restart(): Promise<void> {
    await this.#file.reopen()
    this.#limiter = this.#begin()
  }

  /** A request of the first account, with patience for a minute. */
  async ask(trouble: Trouble | null): Promise<string> {
    const client = new AccountClient({
      limiter: this.#limiter,
      tenant: this.#tenant('one'),
      patience: { ...ENDLESS_PATIENCE, waitMs: MINUTE },
      observe: async () => undefined,
    })
    const answer = async (): Promise<Outcome<null>> => {
      const now = this.clock.now()
      const exchange = { method: 'GET', path: '/', sentAt: now, answeredAt: now, status: 200, bytes: 1 }
      return trouble === null ? { kind: 'ok', value: null, exchange } : outcomeOf(trouble, exchange)
    }
    const { kind } = await client.request(answer, { of: 'list', signal: new AbortController().signal })
    return kind
  }

  async told(): Promise<readonly string[]> {
    const events = await eventsOf(this.#file.store, { limit: 100 })
    return events.map(({ account, type }) => `${account} ${type}`).toSorted()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]()
  }
}

describe('accounts of one key', () => {
  test('are all told of its wait, one that joins meanwhile too, and of its end', async () => {
    await using accounts = new TwoAccounts()
    expect(await accounts.ask(throttled(WAIT))).toBe('throttled')
    expect(await accounts.told()).toEqual(['one account.paused'])
    accounts.join()
    expect(await accounts.ask(null)).toBe('deferred')
    expect(await accounts.told()).toEqual(['one account.paused', 'two account.paused'])
    await accounts.restart()
    accounts.join()
    expect(await accounts.ask(null)).toBe('deferred')
    expect(await accounts.told()).toHaveLength(2)
    await accounts.clock.advance(WAIT)
    expect(await accounts.ask(null)).toBe('ok')
    expect(await accounts.told()).toEqual([
      'one account.paused',
      'one account.recovered',
      'two account.paused',
      'two account.recovered',
    ])
  })

  test('that were not told before a crash are told afterwards', async () => {
    await using accounts = new TwoAccounts()
    await accounts.ask(throttled(WAIT))
    await accounts.restart()
    accounts.join()
    await accounts.ask(null)
    expect(await accounts.told()).toEqual(['one account.paused', 'two account.paused'])
  })
})

describe('workers on one database', { tags: 'long' }, () => {
  test('say of a wait once that it began and once that it is over, whoever of them asks', async () => {
    const url = await (await postgresDatabases()).take()
    const clock = new FakeClock()
    const stores = [await openPostgresStore({ url, pool: 2 }), await openPostgresStore({ url, pool: 2 })]
    const tenants = stores.map((store) =>
      tenantOf(
        { ...BOUNDLESS_ACCOUNT, name: 'one' },
        new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined }),
      ),
    )
    const [store] = stores
    const since = clock.now()
    const exchange = { method: 'GET', path: '/', sentAt: since, answeredAt: since, status: 429, bytes: 1 }
    const types = async () => (store === undefined ? [] : (await eventsOf(store, { limit: 9 })).map(({ type }) => type))
    try {
      const wait = { reason: 'throttled', since, until: since + WAIT, exchange }
      await Promise.all(tenants.map(async (tenant) => tenant.sayWait(wait)))
      for (const tenant of tenants) await tenant.sayWait({ ...wait, exchange: null })
      expect(await types()).toEqual(['account.paused'])
      for (const tenant of tenants)
        expect(await tenant.load({ now: since, perMs: MINUTE })).toMatchObject({ isSaidToWait: true })
      await Promise.all(tenants.map(async (tenant) => tenant.sayWaitOver(exchange)))
      expect((await types()).toSorted()).toEqual(['account.paused', 'account.recovered'])
    } finally {
      for (const each of stores) await each[Symbol.asyncDispose]()
      await (await postgresDatabases()).giveBack(url)
    }
  })
})
