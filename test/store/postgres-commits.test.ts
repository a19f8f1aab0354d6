import { expect, test, vi } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import type { ReadBatch, RecordWrite } from '../../src/store/ports/commit-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { commitBatch } from '../../src/store/commit/commit-batch.postgres.ts'
import { Database, type Transaction } from '../../src/store/server/database.ts'
import { openPostgresStore } from '../../src/store/server/open-store.ts'
import { Query } from '../../src/store/server/query.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import { batch, ring, sampleEvent, sampleState, T, write } from './samples.ts'

const IDS = Array.from({ length: 100 }, (_, n) => `SHP-${n}`)
const SUBSCRIPTIONS = ['erp', 'ops', 'hub']

/** Calls `work` with stores on one database that nobody else uses, as many processes have them. */
async function withStores(
  amount: number,
  work: (stores: readonly Store[], url: string) => Promise<void>,
): Promise<void> {
  const databases = await postgresDatabases()
  const url = await databases.take()
  {
    await using open = new AsyncDisposableStack()
    const stores: Store[] = []
    for (let n = 0; n < amount; n += 1) stores.push(open.use(await openPostgresStore({ url, pool: 4 })))
    await work(stores, url)
  }
  await databases.giveBack(url)
}

/** Records of a page at their first version, or, `at` later, at the next one; each rings to every subscription. */
function changesOf(
  ids: readonly string[],
  version: number,
  at: number,
): Pick<ReadBatch, 'records' | 'events' | 'deliveries'> {
  const records = ids.map((id): RecordWrite => {
    const seen = { platform_shipment_id: id, version }
    const state = sampleState(id, { seen, reported: seen, version, lastRead: { sentAt: at, answeredAt: at } })
    return write(state, { contentHash: `${version}`, expectedVersion: version === 0 ? null : version - 1 })
  })
  const events = records.map(({ state }): EventDraft => {
    const change = { milestone: 'arrival', from: null, to: { date: '2026-12-01', status: 'estimated' } }
    const subject = { resource: 'shipment', id: state.id, version, previousEventId: null } as const
    const told = { subject, object: state.seen, extras: { date_change: change } }
    return sampleEvent(`evt_${state.id}_${version}`, { type: 'shipment.eta_changed', ...told })
  })
  const deliveries = events.flatMap(({ id }) => SUBSCRIPTIONS.map((subscription) => ({ eventId: id, subscription })))
  return { records, events, deliveries }
}

function counting(tx: Transaction, counted: () => void): Transaction {
  return {
    all: async (query, values) => {
      counted()
      return await tx.all(query, values)
    },
    one: async (query, values) => {
      counted()
      return await tx.one(query, values)
    },
    run: async (query, values) => {
      counted()
      return await tx.run(query, values)
    },
    script: async (sql) => {
      counted()
      await tx.script(sql)
    },
  }
}

test('a commit takes the same few statements, however many rows of its page have changed', async () => {
  await withStores(1, async ([store], url) => {
    await using db = new Database({ url, pool: 1 })
    const list = await store?.startPass('acme', 'shipment', T)
    if (store === undefined || list === undefined) return
    await store.commit(batch(changesOf(IDS, 0, T)))
    const taken: number[] = []
    for (const changed of [IDS.slice(0, 1), IDS.slice(1, 11), IDS.slice(11)]) {
      const read = { sentAt: T + taken.length, answeredAt: T + taken.length }
      const unchanged = { resource: 'shipment', ids: IDS.filter((id) => !changed.includes(id)), read } as const
      const page = {
        resource: 'shipment',
        skip: 0,
        read,
        pass: list.pass,
        current: list.pass,
        rows: IDS.length,
        ids: IDS,
      } as const
      const known = { contentHash: 'rows', rules: 'rules', certainIdField: null, validator: null }
      const answer = batch({
        ...changesOf(changed, 1, read.sentAt),
        unchanged,
        page: { kind: 'shown', ...page, ...known },
        list: { resource: 'shipment', state: list },
      })
      let statements = 0
      await db.write(
        async (tx) =>
          await commitBatch(
            db,
            counting(tx, () => (statements += 1)),
            answer,
          ),
      )
      taken.push(statements)
    }
    expect(taken).toEqual([5, 5, 5])
    expect((await store.records('acme', 'shipment', IDS)).size).toBe(IDS.length)
    expect(await store.missing('acme', 'shipment', list.pass)).toHaveLength(0)
  })
})

test(
  'who reads the log from place to place sees every event once, though many commit at once',
  { tags: 'long' },
  async () => {
    await withStores(3, async ([one, other, reader]) => {
      if (one === undefined || other === undefined || reader === undefined) return
      const accounts = ['a', 'b', 'c', 'd', 'e', 'f']
      const rounds = 15
      let writing = accounts.length
      const commits = accounts.map(async (account, index) => {
        for (let n = 1; n <= rounds; n += 1) {
          const event = sampleEvent(`evt_${account}_${n}`, { account })
          await (index % 2 === 0 ? one : other).commit(batch({ account, events: [event] }))
        }
        writing -= 1
      })
      const seen: string[] = []
      for (let place = 0; ;) {
        const isLast = writing === 0
        const found = (await reader.logPage({ since: 0, after: place, limit: 4 })).events
        seen.push(...found.map(({ event }) => event.id))
        place = found.at(-1)?.place ?? place
        if (isLast && found.length === 0) break
      }
      await Promise.all(commits)
      for (const account of accounts) {
        const own = seen.filter((id) => id.startsWith(`evt_${account}_`))
        expect(own).toEqual(Array.from({ length: rounds }, (_, n) => `evt_${account}_${n + 1}`))
      }
    })
  },
)

/** As rows are that were made before rows were numbered. */
const UNNUMBER = new Query('UPDATE deliveries SET position = NULL WHERE position <= 2')

test('rows without a number get one once they wait to be taken from a feed', async () => {
  await withStores(1, async ([store], url) => {
    if (store === undefined) throw new Error('There is no store.')
    const sync = async (keepMs?: number) => {
      const channel = keepMs === undefined ? {} : { channel: { kind: 'pull', keepMs } }
      await store.syncSubscriptions([{ name: 'erp', enabled: true, ...channel }], T)
    }
    const shown = async () =>
      (await store.feedPart({ subscription: 'erp', after: 0, limit: 9 }))?.items.map(({ event, position }) => [
        position,
        event.id,
      ])
    await sync()
    await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
    await using db = new Database({ url, pool: 1 })
    await db.write(async (tx) => await tx.run(UNNUMBER))
    await sync()
    expect(await shown()).toEqual([[3, 'evt_3']])
    for (const keepMs of [T, undefined, T]) {
      await sync(keepMs)
      expect(await shown()).toEqual([
        [3, 'evt_3'],
        [4, 'evt_1'],
        [5, 'evt_2'],
      ])
    }
  })
})

const HOLD_SLICE = new Query('SELECT 1 FROM sends FOR UPDATE')
const WAITING = new Query('SELECT 1 FROM pg_locks WHERE NOT granted')
const FREE = new Query('SELECT 1 FROM requests WHERE minute = :minute FOR UPDATE SKIP LOCKED')

test.each([
  { what: 'nothing', countForMs: 0, before: [] },
  { what: 'a minute', countForMs: 0, before: [T - 8 * 86_400_000] },
  { what: 'a second', countForMs: 30 * 86_400_000, before: [T - 3_600_000] },
])(
  'a count of requests locks the minute before the seconds, where $what is to be dropped',
  async ({ before, ...how }) => {
    await withStores(1, async ([store], url) => {
      await using db = new Database({ url, pool: 3 })
      const count = { at: T, amount: 1, budgetPerHour: 60, countForMs: how.countForMs }
      for (const at of [...before, T]) await store?.countRequests('acme', { ...count, at })
      let counted: Promise<void> | undefined
      await db.write(async (tx) => {
        await tx.all(HOLD_SLICE)
        counted = store?.countRequests('acme', count)
        await vi.waitFor(async () => expect(await db.all(WAITING)).not.toEqual([]), { timeout: 10_000, interval: 5 })
        const minute = Math.floor(T / 60_000)
        expect(await db.write(async (other) => await other.all(FREE, { minute }))).toEqual([])
      })
      await counted
    })
  },
)
