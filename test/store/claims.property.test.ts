import Sqlite from 'better-sqlite3'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { deliveriesOf } from '../support/log-rows.ts'
import { runs } from '../support/runs.ts'
import { withFolder } from './folder.ts'
import { attempt, ring, sampleEvent, success, T } from './samples.ts'

const MINUTE = 60_000
/** Longer than anything here takes. */
const LEASE_MS = 1_000_000_000

const STEPS =
  'ring ring claim claim deliver deliver fail fail exhaust cut put_off gone retry disable enable discard wait die'.split(
    ' ',
  )

test('whatever the process that sends and commands in others do, no row is sent twice at once, and all of them end', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat(7)), { maxLength: 50 })
  const orders = fc.constantFrom('none' as const, 'subject' as const)
  await fc.assert(
    fc.asyncProperty(steps, orders, async (taken, order) => {
      await withFolder(async (folder) => {
        await using world = new World(`${folder}/shipbell.db`, order)
        await world.begin()
        for (const [step, pick] of taken) await world.take(step, pick)
        await world.end()
      })
    }),
    runs(12),
  )
})

/** A process that sends from a file, and another one whose commands write to it. */
class World implements AsyncDisposable {
  #now = T
  #rung = 0
  #store
  readonly #commands
  readonly #path
  readonly #order
  /** What is under way: the lane of each delivery. */
  readonly #held = new Map<string, string>()

  constructor(path: string, order: 'none' | 'subject') {
    this.#path = path
    this.#order = order
    putEmptyStore(path)
    this.#store = openStore({ path })
    this.#commands = openStore({ path })
  }

  async begin(): Promise<void> {
    await this.#store.recoverClaims()
    await this.#store.syncSubscriptions([{ name: 'erp', enabled: true, order: this.#order }], T)
  }

  async take(step: string, pick: number): Promise<void> {
    this.#now += 10
    const at = this.#now
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      ring: () => this.#ring('abc'.charAt(pick % 3)),
      claim: () => this.#claimWaiting(pick + 1),
      deliver: () => this.#settle(pick, { kind: 'delivered' }),
      fail: () => this.#settle(pick, { kind: 'retry', at: at + MINUTE }),
      exhaust: () => this.#settle(pick, { kind: 'exhausted' }),
      cut: () => this.#settle(pick, { kind: 'released' }),
      put_off: () => this.#settle(pick, { kind: 'retry', at: at + MINUTE }, null),
      gone: () => this.#settle(pick, { kind: 'disable', reason: 'gone' }),
      retry: () => this.#retry(pick),
      disable: () => this.#commands.disable('erp', { reason: 'maintenance', at: at }),
      enable: () => this.#commands.enable('erp', { at, discard: false }),
      discard: () => this.#commands.enable('erp', { at, discard: true }),
      wait: () => Promise.resolve((this.#now += MINUTE)),
      die: () => this.#die(),
    }
    await acts[step]?.()
    expectCounts(this.#path)
  }

  /** All that is due is sent, in the end: nothing starves. */
  async end(): Promise<void> {
    await this.#commands.enable('erp', { at: this.#now, discard: false })
    await this.#deliverHeld()
    this.#now += 100 * MINUTE
    while ((await this.#claim(2)).length > 0) await this.#deliverHeld()
    const states = (await deliveriesOf(this.#store, { limit: 99 })).map(({ state }) => state)
    expect(states.filter((state) => state === 'pending' || state === 'held')).toEqual([])
    expect(await this.#store.nextDueAt()).toBeNull()
  }

  async #ring(subject: string): Promise<void> {
    this.#rung += 1
    const about = { resource: 'shipment', id: subject, version: 1, previousEventId: null } as const
    const event = sampleEvent(`${subject}${this.#rung}`, { timestamp: this.#now, subject: about })
    await ring(this.#store, [event], ['erp'])
  }

  /** A claim takes what waits, and where it is not full nothing waits any more. */
  async #claimWaiting(slots: number): Promise<void> {
    const look = async (most: number) => await this.#store.waiting({ now: this.#now, most: new Map([['erp', most]]) })
    const waiting = await look(slots)
    const claimed = await this.#claim(slots)
    expect(claimed).toEqual(waiting.map(({ id }) => id))
    if (claimed.length < slots) expect(await look(99)).toEqual([])
  }

  async #claim(slots: number): Promise<readonly string[]> {
    const request = { owner: 'one', now: this.#now, leaseMs: LEASE_MS, slots: new Map([['erp', slots]]) }
    const claimed = await this.#store.claim(request)
    for (const { id, event } of claimed) {
      const lane = event.subject.id
      expect(this.#held.has(id)).toBe(false)
      if (this.#order === 'subject') expect([...this.#held.values()]).not.toContain(lane)
      this.#held.set(id, lane)
    }
    return claimed.map(({ id }) => id)
  }

  async #settle(pick: number, result: AttemptResult['result'], made?: null): Promise<void> {
    const id = [...this.#held.keys()][pick % Math.max(1, this.#held.size)]
    if (id === undefined) return
    const at = this.#now
    const tried = result.kind === 'delivered' ? success({ at }) : result.kind === 'released' ? null : attempt({ at })
    await this.#store.settle('one', [{ id, attempt: made === null ? null : tried, result }])
    this.#held.delete(id)
  }

  async #deliverHeld(): Promise<void> {
    while (this.#held.size > 0) await this.#settle(0, { kind: 'delivered' })
  }

  async #retry(pick: number): Promise<void> {
    const rows = await deliveriesOf(this.#commands, { limit: 99 })
    const row = rows[pick % Math.max(1, rows.length)]
    if (row !== undefined) await this.#commands.retry([row.id], { at: this.#now, delivered: true })
  }

  async #die(): Promise<void> {
    await this.#store[Symbol.asyncDispose]()
    this.#held.clear()
    this.#store = openStore({ path: this.#path })
    await this.begin()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commands[Symbol.asyncDispose]()
    await this.#store[Symbol.asyncDispose]()
  }
}

/** Tallies, rows put off and logged attempts, by their rows. */
function expectCounts(path: string): void {
  const db = new Sqlite(path, { readonly: true })
  const all = (sql: string) => db.prepare(sql).all()
  try {
    expect(all('SELECT state, amount FROM tallies WHERE amount <> 0 ORDER BY state')).toEqual(
      all('SELECT state, count(*) AS amount FROM deliveries GROUP BY state ORDER BY state'),
    )
    expect(all('SELECT wake_at, amount FROM deferrals ORDER BY wake_at')).toEqual(
      all(`
        SELECT wake_at, count(*) AS amount FROM deliveries
        WHERE state = 'pending' AND wake_at IS NOT NULL AND round = 0 AND turn IS NOT 0 GROUP BY 1 ORDER BY 1`),
    )
    expect(
      all(
        'SELECT id FROM deliveries WHERE attempts <> (SELECT count(*) FROM attempts WHERE delivery = deliveries.ref)',
      ),
    ).toEqual([])
  } finally {
    db.close()
  }
}
