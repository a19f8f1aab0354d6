import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SendingEndpoint, type SendingRow, settle } from '../../src/ledger/settle.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { runs } from '../support/runs.ts'
import { StoreFile } from '../support/store-file.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'
import { deliveringRows, type DeliveringRows } from './delivering-rows.ts'

const MINUTE = 60_000
const LEASE_MS = 1e9
const NAMES = ['crm', 'erp'] as const

const RESULTS = {
  delivered: { kind: 'delivered' },
  failed: { kind: 'retry', at: 3 * MINUTE },
  unscheduled: { kind: 'retry', at: 2 * MINUTE, scheduled: false },
  asked: { kind: 'retry', at: MINUTE, notBefore: 5 * MINUTE },
  exhausted: { kind: 'exhausted' },
  released: { kind: 'released' },
  'put off': { kind: 'retry', at: 4 * MINUTE },
  gone: { kind: 'disable', reason: '410' },
} as const satisfies Readonly<Record<string, AttemptResult['result']>>
type ResultName = keyof typeof RESULTS

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ring' as const), subject: fc.constantFrom('a', 'b') }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('claim' as const), slots: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      pick: fc.nat(9),
      result: fc.constantFrom<ResultName>('delivered', 'failed', 'failed', 'failed', ...names(RESULTS)),
      isTwo: fc.boolean(),
      shared: fc.boolean(),
      unsent: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('retry' as const, 'disable' as const, 'enable' as const, 'discard' as const, 'sync' as const),
      pick: fc.nat(9),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('wait' as const, 'wait long' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function names<Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(record).filter((name): name is Name => name in record)
}

/** A history of delivering, taken by both kinds of store in the same steps. */
class History {
  now = T
  readonly #stores: readonly [Store, Store]
  readonly #rows: () => Promise<readonly DeliveringRows[]>
  #rung = 0
  #held: string[] = []

  constructor(stores: readonly [Store, Store], rows: () => Promise<readonly DeliveringRows[]>) {
    this.#stores = stores
    this.#rows = rows
  }

  async take(taken: Step): Promise<void> {
    this.now += 1_000
    switch (taken.do) {
      case 'ring':
        this.#rung += 1
        return await this.#ring(`evt_${String(this.#rung).padStart(3, '0')}`, taken.subject)
      case 'claim':
        return await this.claim(taken.slots)
      case 'settle':
        return await this.#settle(taken)
      case 'wait':
      case 'wait long':
        this.now += taken.do === 'wait' ? MINUTE : 100 * MINUTE
        return undefined
      case 'retry':
      case 'disable':
      case 'enable':
      case 'discard':
      case 'sync':
        return await this.#command(taken.do, taken.pick)
      default:
        return taken satisfies never
    }
  }

  async #ring(id: string, subject: string): Promise<void> {
    const about = { resource: 'shipment', id: subject, version: 1, previousEventId: null } as const
    for (const store of this.#stores)
      await ring(store, [sampleEvent(id, { timestamp: this.now, subject: about })], NAMES)
  }

  async claim(slots: number): Promise<void> {
    const request = {
      owner: 'one',
      now: this.now,
      leaseMs: LEASE_MS,
      slots: new Map(NAMES.map((name) => [name, slots])),
    }
    const claimed = await this.#both(async (store) => (await store.claim(request)).map(({ id }) => id))
    this.#held.push(...claimed)
  }

  async #both<Result>(ask: (store: Store) => Promise<Result>): Promise<Result> {
    const [one, other] = [await ask(this.#stores[0]), await ask(this.#stores[1])]
    expect(other).toEqual(one)
    return one
  }

  async #settle({ isTwo, pick, result: name, shared, unsent }: Step & { do: 'settle' }): Promise<void> {
    const ids = this.#held.splice(pick % Math.max(1, this.#held.length), isTwo ? 2 : 1)
    const given = RESULTS[name]
    const result = given.kind === 'retry' ? { ...given, at: this.now + given.at } : given
    const isMade = name !== 'put off' && name !== 'released'
    const made = name === 'delivered' ? success({ at: this.now }) : attempt({ at: this.now })
    const attemptResults = ids.map((id, nth) => ({
      id,
      attempt: isMade ? made : null,
      result,
      longestStepMs: 10 * MINUTE,
      ...(shared && nth > 0 && { shared }),
      ...(unsent && result.kind === 'exhausted' && { unsent }),
    }))
    const before = (await this.#rows())[0]
    for (const store of this.#stores) await store.settle('one', attemptResults)
    if (name !== 'gone') expectRule(before, (await this.#rows())[0], attemptResults)
  }

  async #command(kind: 'retry' | 'disable' | 'enable' | 'discard' | 'sync', pick: number): Promise<void> {
    const at = this.now
    const name = NAMES[pick % NAMES.length] ?? 'erp'
    if (kind === 'sync')
      await this.#both(async (store) => {
        const order = pick % 3 === 0 ? ('none' as const) : ('subject' as const)
        const named = NAMES.map((each) => ({ name: each, enabled: each === name || pick < 7, order }))
        await store.syncSubscriptions(named.slice(pick === 9 ? 1 : 0), at)
      })
    if (kind === 'disable')
      await this.#both(async (store) => await store.disable(name, { reason: 'maintenance', at: at }))
    if (kind === 'enable' || kind === 'discard')
      await this.#both(async (store) => await store.enable(name, { at, discard: kind === 'discard' }))
    if (kind !== 'retry') return
    const rows = (await this.#rows())[0]?.deliveries ?? []
    const id = rows[pick % Math.max(1, rows.length)]?.id
    if (id !== undefined) await this.#both(async (store) => await store.retry([id], { at, delivered: pick % 2 === 0 }))
  }

  async end(): Promise<void> {
    for (; this.#held.length > 0;)
      await this.take({ do: 'settle', pick: 0, result: 'delivered', isTwo: true, shared: false, unsent: false })
  }
}

/** Rows and endpoints are what the rule makes of those before, one result after the other. */
function expectRule(
  before: DeliveringRows | undefined,
  after: DeliveringRows | undefined,
  attemptResults: readonly AttemptResult[],
): void {
  const endpoints = new Map<string, SendingEndpoint>(before?.endpoints.map((row) => [row.subscription, row]))
  for (const attemptResult of attemptResults) {
    const row = before?.deliveries.find(({ id }) => id === attemptResult.id)
    const endpoint = endpoints.get(row?.subscription ?? '')
    if (row === undefined || endpoint === undefined) continue
    const settled = settle<SendingRow, SendingEndpoint>({ row, endpoint, attemptResult, aheadMs: 0 })
    endpoints.set(row.subscription, settled.endpoint)
    expect(after?.deliveries.find(({ id }) => id === row.id)).toEqual(settled.row)
  }
  for (const [subscription, endpoint] of endpoints)
    expect(after?.endpoints.find((row) => row.subscription === subscription)).toEqual(endpoint)
}

test('whatever is delivered, the rule, a file and a database hold the same of it', async () => {
  const databases = await postgresDatabases()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      const url = await databases.take()
      {
        await using file = new StoreFile()
        await using store = await openPostgresStore({ url, pool: 2 })
        const rows = await deliveringRows(file.path, url)
        const history = new History([file.store, store], rows.both)
        for (const each of [file.store, store]) {
          await each.recoverClaims()
          await each.syncSubscriptions(
            NAMES.map((name) => ({ name, enabled: true, order: 'subject' })),
            T,
          )
        }
        for (const each of steps) {
          await history.take(each)
          const [one, other] = await rows.both()
          expect(other).toEqual(one)
          expect(await rows.misplaced()).toEqual([])
          expect(await rows.miscounted()).toEqual([])
        }
        await history.end()
        expect([await rows.misplaced(), rows.misplacedInFile()]).toEqual([[], []])
        await rows.close()
      }
      await databases.giveBack(url)
    }),
    runs(2),
  )
})
