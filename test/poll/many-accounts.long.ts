import { describe, expect, test } from 'vitest'
import { startPlaces } from '../../src/app/start-places.ts'
import { createLogger } from '../../src/log.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import { interfaceFields } from '../../src/platform/schemas.ts'
import { AccountPoller } from '../../src/poll/account-poller.ts'
import { Committer } from '../../src/poll/committer.ts'
import { ENDLESS_PATIENCE } from '../../src/poll/requests/account-client.ts'
import { randomOf } from '../../src/sandbox/random.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { FakePlatform } from '../support/fake-platform.ts'
import { StoreFile } from '../support/store-file.ts'
import { NO_CLOCK_IS_SET, shipments } from './polling.ts'

const AMOUNT = 12
const EVERY_MS = 48_000
/** Each account asks once within it, if they are evenly spread. */
const SLOT_MS = EVERY_MS / AMOUNT
/** More than passes take: spare reads are among the requests, too. */
const BUDGET = { requests: 20, perMs: EVERY_MS, concurrency: 1, share: 1 }

/** Many accounts of one platform, polled by one process on a fake clock. */
class Crowd implements AsyncDisposable {
  readonly clock = new FakeClock()
  readonly platform = new FakePlatform(this.clock)
  readonly #file = new StoreFile()
  readonly #passes: number[] = []

  constructor() {
    this.platform.shipments = shipments(1)
    this.platform.onRequest = ({ what }, at) => {
      if (what === 'shipments?skip=0') this.#passes.push(at)
    }
  }

  /** Starts all accounts together and runs them for the sum of `stages`, calling each at its end. */
  async run(...stages: readonly (readonly [ms: number, then: () => void])[]): Promise<void> {
    const stop = new AbortController()
    const running = this.#pollers().map(async (poller) => poller.run(stop.signal))
    for (const [ms, then] of stages) {
      await this.clock.advance(ms)
      then()
    }
    stop.abort()
    await Promise.all(running)
  }

  /** Of the last `every`: how many times the mean the fullest slot holds, and how many slots hold nothing. */
  spread(): { readonly crowding: number; readonly empty: number } {
    const from = this.clock.now() - EVERY_MS
    const slots = Array.from({ length: AMOUNT }, () => 0)
    for (const at of this.#passes) {
      const slot = Math.floor((at - from - 1) / SLOT_MS)
      if (at > from) slots[slot] = (slots[slot] ?? 0) + 1
    }
    const mean = slots.reduce((sum, passes) => sum + passes, 0) / AMOUNT
    return { crowding: Math.max(...slots) / mean, empty: slots.filter((passes) => passes === 0).length }
  }

  #pollers(): readonly AccountPoller[] {
    const accounts = Array.from({ length: AMOUNT }, (_, n): AccountSettings => {
      const watch = { shipments: { everyMs: EVERY_MS, ignore: [], milestoneGraceMs: 86_400_000 } }
      return {
        ...BOUNDLESS_ACCOUNT,
        name: `customer-${n}`,
        baseUrl: 'https://platform.example',
        apiKey: `key-${n}`,
        budget: BUDGET,
        watch,
      }
    })
    const { clock, platform } = this
    const committer = new Committer({
      store: this.#file.store,
      clock,
      subscriptions: () => [],
      onDeliveries: () => undefined,
    })
    const log = createLogger({
      level: 'silent',
      pretty: false,
      colour: false,
      secrets: () => [],
      write: () => undefined,
    })
    const places = startPlaces(accounts, accounts)
    const drawn = randomOf('crowd')
    return accounts.map((account) => {
      const { afterMs, place } = places.get(account.name) ?? { afterMs: 0, place: null }
      return new AccountPoller({
        ...NO_CLOCK_IS_SET,
        account,
        platform,
        committer,
        clock,
        log,
        place,
        startAfterMs: afterMs,
        random: () => drawn.between(0, 1),
        progress: () => undefined,
        fields: interfaceFields(),
        patience: ENDLESS_PATIENCE,
      })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]()
  }
}

function expectEven({ crowding, empty }: ReturnType<Crowd['spread']>): void {
  expect(crowding).toBeLessThanOrEqual(2)
  expect(empty).toBeLessThanOrEqual(AMOUNT / 4)
}

describe('accounts of one platform', () => {
  test('are read evenly over their `every` soon after they started together, and stay so', async () => {
    await using crowd = new Crowd()
    const look = (): void => expectEven(crowd.spread())
    await crowd.run([4 * EVERY_MS, look], [6 * EVERY_MS, look])
  })

  test('are spread again after an outage that kept them all waiting', async () => {
    await using crowd = new Crowd()
    await crowd.run(
      [2 * EVERY_MS, () => (crowd.platform.trouble = () => ({ kind: 'broken' }))],
      [EVERY_MS, () => (crowd.platform.trouble = () => null)],
      [5 * EVERY_MS, () => undefined],
    )
    expectEven(crowd.spread())
  })

  test('are spread again after a machine that slept', async () => {
    await using crowd = new Crowd()
    await crowd.run(
      [2 * EVERY_MS, () => crowd.clock.jump(crowd.clock.now() + 10 * EVERY_MS)],
      [4 * EVERY_MS, () => undefined],
    )
    expectEven(crowd.spread())
  })
})
