import { writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import type { RecordQuery } from '../../src/store/ports/record-query-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { withFolder } from './folder.ts'
import { derived, forgetDerived, forgetDueDates, forgetListings, listings } from './forget-derived.ts'
import { keptStore, KeptStage, keptVersions } from './kept-stage.ts'

test.for(keptVersions())(
  'records of a store of schema %s are found as in one that was filled as it learnt',
  async (version) => {
    await withFolder(async (folder) => {
      const path = `${folder}/shipbell.db`
      writeFileSync(path, keptStore(version), { mode: 0o600 })
      await using store = openStore({ path })
      const page = await store.recordPage({ resource: 'shipment', limit: 100 })
      expect(page.items.length).toBeGreaterThan(8)
      expect(page.items.every(({ name, status }) => name !== null && status !== null)).toBe(true)
      const { events } = await store.logPage({ since: 0, after: null, limit: 1_000 })
      const moved = events.findLast(({ event }) => event.type === 'shipment.eta_changed')?.event
      const key = { account: moved?.account ?? '', resource: 'shipment', id: moved?.subject.id ?? '' } as const
      const detail = await store.recordDetail(key)
      expect(detail?.lastEventAt).toBeGreaterThanOrEqual(moved?.timestamp ?? Infinity)
      const told = detail?.dates.arrival?.filter(({ toldAt }) => toldAt !== null) ?? []
      expect(told.map(({ eventId }) => eventId)).toContain(moved?.id)
      expect(detail?.dates.arrival?.[0]?.toldAt).toBeNull()
      expect((await store.slips({ since: 0, limit: 100 })).items.map(({ shipment }) => shipment)).toContain(key.id)
      const found = await store.recordPage({ resource: 'shipment', q: key.id.toLowerCase(), limit: 1 })
      expect(found.items[0]).toMatchObject({ id: key.id })
    })
  },
)

test('filling derives what the commits of today derive', async () => {
  await KeptStage.play('0001', async (stage) => {
    stage.platform.edit('acme', ({ shipments }) => ({
      shipments: shipments.map((each, n) => ({ ...each, name: `Renamed ${n}`, status: 'booked' })),
    }))
    await stage.run('once')
    const before = derived(stage.store)
    expect(before.every((rows) => rows.length > 0)).toBe(true)
    forgetDerived(stage.store)
    expect(derived(stage.store)).not.toEqual(before)
    await openStore({ path: stage.store })[Symbol.asyncDispose]()
    expect(derived(stage.store)).toEqual(before)
  })
})

test('a command that only asks fills a store first, and filling rings nothing', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    writeFileSync(path, keptStore('0001'), { mode: 0o600 })
    await openStore({ path })[Symbol.asyncDispose]()
    const before = derived(path)
    const events = amount(path)
    forgetDerived(path)
    await using store = openStore({ path, readonly: true })
    expect((await store.recordPage({ resource: 'shipment', limit: 1 })).items).toHaveLength(1)
    expect([derived(path), amount(path)]).toEqual([before, events])
  })
})

test('a store that was filled before due dates were kept learns them alone', async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/shipbell.db`
    writeFileSync(path, keptStore('0001'), { mode: 0o600 })
    await openStore({ path })[Symbol.asyncDispose]()
    const before = derived(path)
    forgetDueDates(path)
    expect(derived(path)).not.toEqual(before)
    await openStore({ path })[Symbol.asyncDispose]()
    expect(derived(path)).toEqual(before)
  })
})

function amount(path: string): unknown {
  const db = new Sqlite(path, { readonly: true })
  try {
    return db.prepare('SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM deliveries)').raw().get()
  } finally {
    db.close()
  }
}

test('records that an earlier version stored are in lists at once, and are listed in steps as commits list them', async () => {
  await KeptStage.play('0001', async (stage) => {
    await stage.run('once')
    const before = listings(stage.store)
    forgetListings(stage.store)
    await using store = openStore({ path: stage.store })
    const unlisted = await lists(store)
    expect(unlisted.eta.length).toBeGreaterThan(8)
    let steps = 0
    while ((await store.listRecords(3)) > 0) steps += 1
    expect(steps).toBeGreaterThan(3)
    expect(listings(stage.store)).toEqual(before)
    const listed = await lists(store)
    expect([listed.open, listed.newest, listed.name]).toEqual([unlisted.open, unlisted.newest, unlisted.name])
    expect(listed.eta.toSorted()).toEqual(unlisted.eta.toSorted())
  })
})

/** The ids of shipments in lists, sorted where their order may differ. */
async function lists(store: Pick<Store, 'recordPage'>) {
  const list = { resource: 'shipment', limit: 200 } as const
  const ids = async (query: Partial<RecordQuery>) =>
    (await store.recordPage({ ...list, ...query })).items.map(({ id }) => id)
  return {
    eta: await ids({ order: { by: 'eta', isDescending: false } }),
    name: await ids({ order: { by: 'name', isDescending: false } }),
    newest: await ids({}),
    open: (await ids({ open: true, mode: 'ocean' })).toSorted(),
  }
}
