import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { planCommand } from '../../src/cli/plan.ts'
import type { EventDraft } from '../../src/model/event.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { credentialKeyOf } from '../../src/poll/requests/tenant.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { SECRET, scratchFolder } from '../config/scratch.ts'
import { batch, sampleEvent, sampleState, T, write } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { runCommand } from './run-command.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

const ALL = 'shipments: {}, tracking: {}, invoices: {}, order_preparations: { references: [OP-1, OP-2] }'

function account({ budget = '{}', watch = ALL, name = 'acme', key = '${KEY}' } = {}): string {
  return `  ${name}:\n    base_url: "http://127.0.0.1:1"\n    api_key: "${key}"\n    budget: ${budget}\n    watch: { ${watch} }\n`
}

function folder(accounts: string): string {
  return scratchFolder({
    'shipbell.yaml': `accounts:\n${accounts}subscriptions:\n  erp: { url: "http://127.0.0.1:1/h", secret: ${SECRET}, events: ["*"] }\ndelivery: { allow_networks: [127.0.0.0/8] }\nhttp: false\n`,
  })
}

async function plan(cwd: string, ...args: readonly string[]) {
  return runCommand(planCommand, args, { cwd, env: { KEY: 'k' }, clock: new FakeClock(T) })
}

async function planned(cwd: string, ...args: readonly string[]) {
  const { exitCode, stdout } = await plan(cwd, '--json', ...args)
  return { exitCode, document: JSON.parse(stdout) }
}

async function filled(cwd: string, fill: (store: Store) => Promise<void>): Promise<void> {
  const file = path.join(cwd, 'shipbell.db')
  putEmptyStore(file)
  await using store = openStore({ path: file })
  await fill(store)
}

/** A list of so many pages that one complete pass has read, each with a shipment that is under way; `last`: rows of the last one. */
async function shipmentPages(store: Store, pages: number, last = 40): Promise<void> {
  const list = await store.startPass('acme', 'shipment', T - MINUTE)
  const read = { sentAt: T - MINUTE, answeredAt: T - MINUTE }
  for (let page = 0; page < pages; page += 1) {
    const state = sampleState(`SHP-${page}`, { lastRead: read })
    const rows = page === pages - 1 ? last : 100
    const shown = { kind: 'shown', resource: 'shipment', read, pass: list.pass, rows } as const
    const place = {
      ...shown,
      skip: page * 100,
      contentHash: `${page}`,
      rules: '',
      current: list.pass,
      certainIdField: null,
      validator: null,
    }
    const record = write(state, { phase: { phase: 'at_sea', until: null } })
    await store.commit(batch({ records: [record], page: { ...place, ids: [state.id] } }))
  }
  const over = { ...list, largestPage: 100, completedAt: T - MINUTE, baselinedAt: T - MINUTE }
  await store.commit(batch({ list: { resource: 'shipment', state: over } }))
}

/** The plan for so many pages, of which the last has so many rows, with one pass promised in each minute. */
async function listOf(pages: number, last: number) {
  const cwd = folder(account({ budget: '{ requests: 5 }', watch: 'shipments: { every: 1m }' }))
  await filled(cwd, async (store) => shipmentPages(store, pages, last))
  const [{ requests, promised_per_hour }] = (await planned(cwd)).document.accounts[0].resources
  return { requests, promised_per_hour }
}

/** A shipment's change in each of so many minutes until now, each seen two minutes later at most. */
function changesOf(amount: number, resource: 'shipment' | 'tracking' = 'shipment'): readonly EventDraft[] {
  return Array.from({ length: amount }, (_, nth) =>
    sampleEvent(`evt_${resource}_${nth}`, {
      subject: { resource, id: `SHP-${nth % 4}`, version: nth + 1, previousEventId: null },
      timestamp: T - nth * 10 * MINUTE - MINUTE,
      observed: { notBefore: T - nth * 10 * MINUTE - 3 * MINUTE, notAfter: T - nth * 10 * MINUTE - MINUTE },
    }),
  )
}

describe('shipbell plan, where nothing was read yet', () => {
  it('goes by what is configured, and says so', async () => {
    const { exitCode, stdout } = await plan(folder(account()))
    expect(exitCode).toBe(0)
    expect(stdout).toContain('acme: 60 requests per 1m, so 3,600 an hour\n')
    expect(stdout).toContain(
      'Nothing is known yet of this account: this goes by the configuration, one page for each list.',
    )
    expect(stdout).toMatch(/^shipments +2m +at least 1 page +30 +30 +2m +– +–$/m)
    expect(stdout).toMatch(/^tracking +15m +at least 0 items +0 +0 +– +– +–$/m)
    expect(stdout).toMatch(/^order_preparations +30m +2 items +4 +4 +30m +– +–$/m)
    expect(stdout).toContain('The promises fit: they take 40 of 3,600 requests an hour.')
  })

  it('says plainly what a budget of one request an hour cannot keep, and what would', async () => {
    const { exitCode, stdout } = await plan(
      folder(account({ budget: '{ requests: 1, per: 1h }', watch: 'shipments: {}' })),
    )
    expect(exitCode).toBe(1)
    expect(stdout).toContain('The promises do not fit: they take 30 of 1 requests an hour.')
    expect(stdout).toContain('What is kept: shipments every 1h20m instead of 2m.')
    expect(stdout).toContain('What would fit: `budget: { requests: 30, per: 1h }`, or `every` of shipments 1h.')
  })

  it('has nothing to say of an account that watches nothing', async () => {
    const { exitCode, stdout } = await plan(folder(account({ watch: '' })))
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Nothing is watched: it takes no request.')
  })

  it('takes no configuration without its secrets, no unknown account, and no number that is none', async () => {
    const cwd = folder(account())
    expect((await runCommand(planCommand, [], { cwd })).exitCode).toBe(2)
    expect((await plan(cwd, '--account', 'acmee')).stderr).toContain('did you mean acme?')
    for (const budget of ['0', '-1', '1.5', 'many', '', '1e3']) {
      const { exitCode, stderr } = await plan(cwd, `--budget=${budget}`)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is not a number of requests')])
    }
  })
})

describe('shipbell plan, by what the store knows', () => {
  it('says what is read how often, what that costs, and how long changes go unseen', async () => {
    const cwd = folder(account({ watch: 'shipments: { every: 10m, weight: 2 }' }))
    await filled(cwd, async (store) => shipmentPages(store, 12))
    const { document, exitCode } = await planned(cwd)
    expect(exitCode).toBe(0)
    const [acme] = document.accounts
    expect(acme).toMatchObject({
      name: 'acme',
      fits: true,
      known: true,
      budget: { requests: 60, per_seconds: 60, share: 1 },
      accounts_of_key: 1,
      ceiling: null,
      requests_per_hour: { allowed: 3600, promised: 73 },
      smallest_budget: 2,
      replay: null,
    })
    const [shipments] = acme.resources
    expect(shipments).toMatchObject({
      resource: 'shipments',
      known: true,
      weight: 2,
      every_seconds: 600,
      kept_every_seconds: 600,
      each: 'page',
      requests: 12,
      promised_per_hour: 73,
    })
    expect(shipments.requests_per_hour).toBeGreaterThan(73)
    expect(shipments.delay.mean_seconds).toBeLessThan(300)
    expect(shipments.delay.p95_seconds).toBeGreaterThan(shipments.delay.mean_seconds)
  })

  it('counts the request that shows where a list ends: one more where its last page is full, or in an hour, and all of an empty one', async () => {
    expect(await listOf(3, 99)).toEqual({ requests: 3, promised_per_hour: 181 })
    expect(await listOf(3, 100)).toEqual({ requests: 4, promised_per_hour: 240 })
    expect(await listOf(0, 0)).toEqual({ requests: 1, promised_per_hour: 60 })
  })

  it('takes a budget that is exactly what the promises need for enough', async () => {
    const watch = 'shipments: { every: 1m }, invoices: { every: 2m }, documents: { every: 3m }'
    const { document, exitCode } = await planned(folder(account({ budget: '{ requests: 110, per: 1h }', watch })))
    expect([exitCode, document.accounts[0].smallest_budget]).toEqual([0, 110])
    expect(document.accounts[0].resources[1]).toMatchObject({ kept_every_seconds: 120, bearable_every_seconds: 120 })
  })

  it('says what 100,000 shipments cannot have under 6 requests a minute', { tags: 'long' }, async () => {
    const cwd = folder(account({ budget: '{ requests: 6 }', watch: 'shipments: {}' }))
    await filled(cwd, async (store) => shipmentPages(store, 1_000))
    const { exitCode, stdout } = await plan(cwd)
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^shipments +2m +1,000 pages +360 +270 /m)
    expect(stdout).toContain(
      'they take 30,001 of 360 requests an hour. What is kept: shipments every 3h40m instead of 2m.',
    )
    expect(stdout).toContain('`budget: { requests: 501, per: 1m }`, or `every` of shipments 2h50m.')
  })

  it('goes by what the platform bears of the budget', async () => {
    const cwd = folder(account({ budget: '{ requests: 1 }', watch: 'shipments: { every: 10m }' }))
    const ceiling = { fraction: 0.5, loweredAt: T - HOUR, creditedTo: T, isStrained: false }
    await filled(cwd, async (store) => {
      await shipmentPages(store, 8)
      await store.commit(batch({ ceiling }))
    })
    expect((await planned(cwd)).document.accounts[0].ceiling).toEqual({
      fraction: 0.5,
      since: '2026-11-21T07:00:00.000Z',
    })
    expect((await plan(cwd)).stdout).toContain(
      'The platform refused more than 50 % of the budget at 2026-11-21T07:00:00.000Z',
    )
    expect((await planned(cwd, '--budget', '1')).document.accounts[0].ceiling).toBeNull()
  })

  it('goes by what any account of the key has learnt of it, and by nothing that was learnt of another key', async () => {
    const cwd = folder(
      account({ watch: 'shipments: {}' }) +
        account({ name: 'brand', watch: 'shipments: {}' }) +
        account({ name: 'other', key: 'another', watch: 'shipments: {}' }),
    )
    const [ours, others] = ['k', 'old'].map((apiKey) => credentialKeyOf({ baseUrl: 'http://127.0.0.1:1', apiKey }))
    const ceiling = { loweredAt: T - HOUR, creditedTo: T, isStrained: false }
    await filled(cwd, async (store) => {
      await store.commit(batch({ ceiling: { ...ceiling, fraction: 0.5, of: ours ?? '' } }))
      await store.commit(batch({ account: 'brand', ceiling: { ...ceiling, fraction: 0.25, of: others ?? '' } }))
      await store.commit(batch({ account: 'other', ceiling: { ...ceiling, fraction: 0.25, of: others ?? '' } }))
    })
    const { accounts } = (await planned(cwd)).document
    expect(accounts.map((each: { ceiling: { fraction: number } | null }) => each.ceiling?.fraction ?? 1)).toEqual([
      0.5, 0.5, 1,
    ])
  })

  it('gives an account of a key what the others do not need', async () => {
    const budget = '{ requests: 60, per: 1h }'
    const watch = 'shipments: { every: 12h }, invoices: { every: 90s }'
    const cwd = folder(
      account({ budget, watch }) + account({ name: 'brand', budget, watch: 'shipments: { every: 6m }' }),
    )
    const { document, exitCode } = await planned(cwd)
    expect(exitCode).toBe(0)
    const [acme, brand] = document.accounts
    expect([acme.fits, acme.smallest_budget, acme.requests_per_hour.promised]).toEqual([true, 51, 40.083])
    expect(acme.requests_per_hour.allowed + brand.requests_per_hour.allowed).toBeCloseTo(60)
    expect(brand.requests_per_hour.allowed).toBeCloseTo(10 + (60 - 50.083) / 2, 2)
  })

  it('gives each account of a key its part', async () => {
    const cwd = folder(account() + account({ name: 'brand' }) + account({ name: 'other', key: 'another' }))
    const { document } = await planned(cwd)
    const allowed = document.accounts.map(
      ({ requests_per_hour }: { requests_per_hour: { allowed: number } }) => requests_per_hour.allowed,
    )
    expect(allowed).toEqual([1800, 1800, 3600])
    expect((await planned(cwd, '--account', 'other')).document.accounts).toHaveLength(1)
    expect((await plan(cwd)).stdout).toContain(
      'brand: 60 requests per 1m, shared by 2 accounts of one key, so 1,800 an hour',
    )
  })
})

async function withPast(changes: readonly EventDraft[]): Promise<string> {
  const cwd = folder(account({ budget: '{ requests: 6 }', watch: 'shipments: { every: 10m }' }))
  await filled(cwd, async (store) => {
    await shipmentPages(store, 4)
    await store.commit(batch({ events: changes }))
  })
  return cwd
}

describe('shipbell plan --budget', () => {
  it('replays what was seen with another budget, beside what it was in truth', { tags: 'long' }, async () => {
    const cwd = await withPast(changesOf(60))
    const replayed = async (budget: string) => (await planned(cwd, '--budget', budget)).document.accounts[0]
    const [less, more] = [await replayed('1'), await replayed('60')]
    expect(more.requests_per_hour.allowed).toBe(3600)
    const [few, many] = [less.replay.resources[0], more.replay.resources[0]]
    expect(many).toMatchObject({ resource: 'shipments', changes: 60 })
    expect(many.recorded.mean_seconds).toBeGreaterThan(50)
    expect(many.recorded.mean_seconds).toBeLessThan(70)
    expect(few.as_is).toEqual(many.as_is)
    expect(many.supposed.mean_seconds).toBeLessThan(many.as_is.mean_seconds)
    expect(few.supposed.mean_seconds).toBeGreaterThan(few.as_is.mean_seconds)
    expect((await plan(cwd, '--budget', '60')).stdout).toMatch(/^shipments +60 +1m +/m)
  })

  it('supposes no more requests than there is something to read, so that a huge budget replays as much of the past', async () => {
    const cwd = await withPast(changesOf(60))
    const { document } = await planned(cwd, '--budget', '999999999')
    const [shipments] = document.accounts[0].replay.resources
    expect(shipments).toMatchObject({ resource: 'shipments', changes: 60, unseen: 0 })
    expect(shipments.supposed.mean_seconds).toBeLessThan(20)
  })

  it('says where there is too little to go by', { tags: 'long' }, async () => {
    expect((await plan(await withPast(changesOf(3)), '--budget', '60')).stdout).toContain(
      'shipments: 3 changes are too few to go by.',
    )
    expect((await plan(await withPast([]), '--budget', '60')).stdout).toContain(
      'Nothing to replay: no change was seen in the last 7 days.',
    )
    const old = changesOf(30).map((event) => ({ ...event, timestamp: T - 8 * DAY }))
    expect((await plan(await withPast(old), '--budget', '60')).stdout).toContain('Nothing to replay')
    expect((await plan(folder(account()), '--budget', '60')).stdout).not.toContain('REPLAYED')
  })

  it('says whether the promises would fit', async () => {
    const cwd = folder(account({ watch: 'shipments: {}' }))
    await filled(cwd, async (store) => shipmentPages(store, 30))
    expect((await plan(cwd, '--budget', '60')).exitCode).toBe(0)
    const { exitCode, stdout } = await plan(cwd, '--budget', '10')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('`budget: { requests: 16, per: 1m }`')
  })
})
