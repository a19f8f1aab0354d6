import { describe, expect, test } from 'vitest'
import type { RequestBudget } from '../../src/plan/key-budget.ts'
import type { Outcome } from '../../src/platform/outcome.ts'
import { ENDLESS_PATIENCE, AccountClient, type RequestOptions } from '../../src/poll/requests/account-client.ts'
import { Limiter } from '../../src/poll/requests/limiter.ts'
import type { Restraint, Tenant } from '../../src/poll/requests/tenant.ts'
import type { Priority } from '../../src/poll/requests/priority-queue.ts'
import { FakeClock } from '../support/fake-clock.ts'

const BUDGET: RequestBudget = { requests: 4, perMs: 60_000, concurrency: 4, share: 1 }

/** An account that remembers what it is told. */
class Memory implements Tenant {
  readonly budget: RequestBudget
  kept: Restraint = { pause: null, ceiling: null }
  loads = 0

  constructor(changes: Partial<RequestBudget> = {}) {
    this.budget = { ...BUDGET, ...changes }
  }

  async load() {
    this.loads += 1
    return { ...this.kept, spent: [], isSaidToWait: false }
  }

  async count(): Promise<void> {}

  async save(news: Partial<Restraint>): Promise<void> {
    this.kept = { ...this.kept, ...news }
  }

  async sayWait(): Promise<void> {}

  async sayWaitOver(): Promise<void> {}
}

type Ending = 'ok' | 401 | 429 | 503 | 'throttled 30 s'

/** Requests of one account that end when told to. */
class Requests {
  readonly clock: FakeClock
  readonly accountClient: AccountClient
  readonly sent: string[] = []
  readonly observed: string[] = []
  readonly #signal = new AbortController().signal
  readonly #pending = new Map<string, (ending: Ending) => void>()

  constructor(clock: FakeClock, limiter: Limiter, tenant: Tenant = new Memory()) {
    this.clock = clock
    const observe = async (_: unknown, result: string): Promise<void> => void this.observed.push(result)
    this.accountClient = new AccountClient({ limiter, tenant, patience: ENDLESS_PATIENCE, observe })
  }

  ask(name: string, changes: Partial<RequestOptions> = {}): Promise<unknown> {
    const request = async (): Promise<Outcome<string>> => {
      this.sent.push(name)
      const sentAt = this.clock.now()
      const { promise, resolve } = Promise.withResolvers<Ending>()
      this.#pending.set(name, resolve)
      return outcomeOf(await promise, { sentAt, answeredAt: this.clock.now() })
    }
    return this.accountClient.request(request, { of: 'item', signal: this.#signal, ...changes })
  }

  async end(name: string, ending: Ending = 'ok'): Promise<void> {
    this.#pending.get(name)?.(ending)
    this.#pending.delete(name)
    await this.clock.advance(0)
  }

  /** Asks and ends at once. */
  async go(name: string, ending: Ending = 'ok'): Promise<void> {
    void this.ask(name)
    await this.clock.advance(0)
    await this.end(name, ending)
  }
}

function outcomeOf(ending: Ending, times: { sentAt: number; answeredAt: number }): Outcome<string> {
  const exchange = { method: 'GET', path: '/v1/x', bytes: 0, ...times }
  switch (ending) {
    case 'ok':
      return { kind: 'ok', value: 'x', exchange: { ...exchange, status: 200 } }
    case 401:
      return { kind: 'unauthorized', reason: 'no', exchange: { ...exchange, status: 401 } }
    case 503:
      return { kind: 'broken', reason: 'down', retryAfterMs: null, exchange: { ...exchange, status: 503 } }
    case 429:
    case 'throttled 30 s': {
      const retryAfterMs = ending === 429 ? null : 30_000
      return { kind: 'throttled', reason: 'too many', retryAfterMs, exchange: { ...exchange, status: 429 } }
    }
    default:
      return ending satisfies never
  }
}

function begin(changes: Partial<RequestBudget> = {}) {
  const clock = new FakeClock()
  const memory = new Memory(changes)
  const limiter = new Limiter({ clock, random: () => 0 }, memory)
  return { clock, memory, limiter, requests: new Requests(clock, limiter) }
}

describe('waiting for the budget', () => {
  test('goes by urgency at the moment there is room, among equals in the order they came', async () => {
    const { clock, requests } = begin({ requests: 1 })
    await requests.go('first')
    const priorities: readonly Priority[] = ['spare', 'due', 'verification', 'spare', 'due', 'verification']
    for (const [index, priority] of priorities.entries()) void requests.ask(`${priority} ${index}`, { priority })
    for (let minute = 0; minute < 6; minute += 1) {
      await clock.advance(60_000)
      await requests.end(requests.sent.at(-1) ?? '')
    }
    expect(requests.sent).toEqual(['first', 'verification 2', 'verification 5', 'due 1', 'due 4', 'spare 0', 'spare 3'])
  })

  test('nobody is passed by again and again, but for what uses what is left over', async () => {
    const { clock, requests } = begin({ requests: 1_000, concurrency: 1 })
    for (let index = 1; index <= 8; index += 1) void requests.ask(`page ${index}`, { priority: 'pass' })
    for (const priority of ['due', 'announced', 'spare'] as const) {
      for (let index = 1; index <= 2; index += 1) void requests.ask(`${priority} ${index}`, { priority })
    }
    await clock.advance(0)
    for (let ended = 0; ended < 11; ended += 1) await requests.end(requests.sent.at(-1) ?? '')
    expect(requests.sent).toEqual([
      'page 1',
      'page 2',
      'page 3',
      'page 4',
      'due 1',
      'announced 1',
      'page 5',
      'page 6',
      'page 7',
      'due 2',
      'announced 2',
      'page 8',
    ])
  })

  test('an urgent request that comes late passes one that waits for the window already', async () => {
    const { clock, requests } = begin({ requests: 1, concurrency: 1 })
    await requests.go('first')
    void requests.ask('spare', { priority: 'spare' })
    await clock.advance(59_999)
    void requests.ask('proof', { priority: 'verification' })
    await clock.advance(1)
    expect(requests.sent).toEqual(['first', 'proof'])
  })

  test('several that use what is left over share it, though the window has room for all', async () => {
    const { clock, requests } = begin({ requests: 60, concurrency: 16 })
    for (let index = 0; index < 16; index += 1) {
      void requests.ask(`spare ${index}`, { priority: 'spare' })
      await clock.advance(0)
    }
    expect(requests.sent).toHaveLength(3)
    await clock.advance(2_000)
    expect(requests.sent).toHaveLength(5)
    void requests.ask('page', { priority: 'pass' })
    await clock.advance(0)
    expect(requests.sent.at(-1)).toBe('page')
  })

  test('a request whose signal aborts leaves the line, and no timer stays behind', async () => {
    const { clock, requests } = begin({ requests: 1 })
    await requests.go('first')
    const stop = new AbortController()
    const asked = requests.ask('second', { signal: stop.signal })
    await clock.advance(1_000)
    expect(clock.nextWakeAt).not.toBeNull()
    stop.abort(new Error('stopped'))
    await expect(asked).rejects.toThrow('stopped')
    expect(clock.nextWakeAt).toBeNull()
    await clock.advance(120_000)
    expect(requests.sent).toEqual(['first'])
  })

  test('keeps to the concurrency', async () => {
    const { clock, requests } = begin({ concurrency: 2 })
    for (const name of ['a', 'b', 'c']) void requests.ask(name)
    await clock.advance(60_000)
    expect(requests.sent).toEqual(['a', 'b'])
    await requests.end('b')
    expect(requests.sent).toEqual(['a', 'b', 'c'])
  })

  test('a store that cannot be read at first is read again', async () => {
    const { clock, memory, requests } = begin()
    const load = memory.load.bind(memory)
    memory.load = async () => {
      memory.load = load
      throw new Error('busy')
    }
    await expect(requests.ask('a')).rejects.toThrow('busy')
    await requests.go('b')
    expect([requests.sent, memory.loads, clock.nextWakeAt]).toEqual([['b'], 1, null])
  })
})

describe('a key that bears less', () => {
  test.each([429, 503] as const)('twice %i halves what any window may hold; what follows is kept', async (status) => {
    const { clock, memory, requests } = begin()
    await requests.go('a', status)
    await clock.advance(1_000)
    await requests.go('probe', status)
    expect(memory.kept.ceiling?.fraction).toBeCloseTo(0.48)
    await clock.advance(60_000)
    for (const name of ['b', 'c', 'd']) void requests.ask(name)
    await clock.advance(0)
    await requests.end('b')
    await clock.advance(30_000)
    expect(requests.sent).toEqual(['a', 'probe', 'b', 'c'])
    await clock.advance(30_000)
    expect(requests.sent).toEqual(['a', 'probe', 'b', 'c', 'd'])
  })

  test('is not taken for one where a refusal stands alone', async () => {
    const { clock, memory, requests } = begin({ requests: 60 })
    await requests.go('a', 429)
    expect(memory.kept.ceiling?.fraction).toBe(0.96)
    for (let minute = 0; minute < 3; minute += 1) {
      await clock.advance(60_000)
      await requests.go(`${minute}`)
    }
    expect(memory.kept.ceiling).toBeNull()
  })

  test('is whole again after half an hour of clean answers, written down once a minute at most', async () => {
    const { clock, memory, requests } = begin({ requests: 600 })
    await requests.go('a', 'throttled 30 s')
    await clock.advance(30_000)
    let saves = 0
    const save = memory.save.bind(memory)
    memory.save = async (news) => {
      saves += 1
      await save(news)
    }
    for (let second = 0; second < 1_000; second += 1) {
      await clock.advance(1_000)
      await requests.go(`${second}`)
    }
    expect(memory.kept.ceiling).toBeNull()
    expect(saves).toBeLessThan(20)
  })

  test('stays so in the next process', async () => {
    const { clock, memory, requests } = begin()
    await requests.go('a', 'throttled 30 s')
    await clock.advance(60_000)
    const next = new Requests(clock, new Limiter({ clock, random: () => 0 }, memory))
    for (const name of ['b', 'c', 'd']) {
      void next.ask(name)
      await clock.advance(0)
      await next.end(name)
    }
    expect(next.sent).toEqual(['b', 'c'])
  })
})

describe('accounts of one key', () => {
  test('share the window, the smaller concurrency, the pause and the ceiling, and each keeps them', async () => {
    const { clock, limiter, memory, requests } = begin()
    const other = new Memory({ requests: 3, concurrency: 2 })
    limiter.join(other)
    const others = new Requests(clock, limiter)
    void requests.ask('a')
    void others.ask('b')
    void others.ask('c')
    await clock.advance(0)
    expect([requests.sent, others.sent]).toEqual([['a'], ['b']])
    await others.end('b')
    await others.end('c')
    void others.ask('d')
    await clock.advance(0)
    expect(others.sent).toEqual(['b', 'c'])
    await requests.end('a', 'throttled 30 s')
    expect(memory.kept).toEqual(other.kept)
    expect(memory.kept).toMatchObject({ pause: { notBefore: clock.now() + 30_000 }, ceiling: { fraction: 0.5 } })
    await clock.advance(60_000)
    expect(others.sent).toEqual(['b', 'c', 'd'])
    expect([requests.observed, others.observed]).toEqual([['throttled'], ['success', 'success']])
  })

  test('what one of them has left is spent all the same', async () => {
    const { clock, limiter, memory, requests } = begin()
    for (const name of ['a', 'b', 'c', 'd']) await requests.go(name)
    limiter.leave(memory)
    limiter.join(new Memory({ requests: 5 }))
    const next = new Requests(clock, limiter)
    await next.go('e')
    await next.go('f')
    expect(next.sent).toEqual(['e'])
  })

  test('a key that nobody was left of goes on where a new process would', async () => {
    const { clock, limiter, memory, requests } = begin()
    await requests.go('refused', 401)
    limiter.leave(memory)
    limiter.join(memory)
    const next = new Requests(clock, limiter)
    await next.go('a')
    expect([next.sent, memory.loads]).toEqual([['a'], 2])
  })
})

describe('room for a read that nobody needs', () => {
  test('comes at the even pace that bursts leave, while nobody waits and there is a place', async () => {
    const { clock, requests } = begin({ requests: 60, concurrency: 2 })
    await requests.go('a')
    const now = clock.now()
    expect(requests.accountClient.spareAt(now)).toBe(now)
    for (const name of ['b', 'c']) await requests.go(name)
    expect(requests.accountClient.spareAt(now)).toBe(now + 1_000)
    void requests.ask('d')
    void requests.ask('e')
    await clock.advance(0)
    expect(requests.accountClient.spareAt(now)).toBe(Number.POSITIVE_INFINITY)
    await requests.end('d')
    expect(requests.accountClient.spareAt(now)).toBe(now + 3_000)
  })

  test('comes after the back-off, and not while a probe is under way', async () => {
    const { clock, requests } = begin({ requests: 60 })
    await requests.go('a', 'throttled 30 s')
    const now = clock.now()
    expect(requests.accountClient.spareAt(now)).toBe(now + 30_000)
    void requests.ask('probe')
    await clock.advance(30_000)
    expect(requests.accountClient.spareAt(clock.now())).toBe(Number.POSITIVE_INFINITY)
  })

  test('is waited for without polling: until its time, or until requests end', async () => {
    const { clock, requests } = begin({ requests: 60, concurrency: 1 })
    const { signal } = new AbortController()
    for (const name of ['a', 'b', 'c']) await requests.go(name)
    let woken = 0
    void requests.accountClient.spareWait(signal).then(() => (woken += 1))
    await clock.advance(999)
    expect([woken, clock.nextWakeAt]).toEqual([0, clock.now() + 1])
    await clock.advance(1)
    expect(woken).toBe(1)
    void requests.ask('d')
    await clock.advance(10_000)
    void requests.accountClient.spareWait(signal).then(() => (woken += 1))
    await clock.advance(3_600_000)
    expect(woken).toBe(1)
    await requests.end('d')
    expect(woken).toBe(2)
  })

  test('ends its wait when the signal aborts, and knows the past before it says anything', async () => {
    const { clock, memory, requests } = begin()
    expect(requests.accountClient.spareAt(clock.now())).toBe(Number.POSITIVE_INFINITY)
    memory.kept = {
      pause: { failures: 0, throttles: 1, notBefore: clock.now() + 9_000, decidedAt: clock.now(), reason: 'busy' },
      ceiling: null,
    }
    const stop = new AbortController()
    let isOver = false
    void requests.accountClient.spareWait(stop.signal).then(() => (isOver = true))
    await clock.advance(8_000)
    expect([isOver, requests.accountClient.spareAt(clock.now())]).toEqual([false, clock.now() + 1_000])
    stop.abort()
    await clock.advance(0)
    expect([isOver, clock.nextWakeAt]).toEqual([true, null])
  })
})
