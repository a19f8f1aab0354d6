import path from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { statusCommand } from '../../src/cli/status.ts'
import { auditAfter } from '../../src/ledger/audits.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { ListAudit } from '../../src/model/list-audit.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { lockStore } from '../../src/store/file/store-lock.ts'
import { attempt, batch, ring, sampleEvent, sampleHold, sampleState, T, write } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { SECRET } from '../config/scratch.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

const MINUTE = 60_000

/** What `acme` watches, with a key that is not set: status needs none. */
function configuration(accounts: readonly string[] = ['acme'], more = ''): string {
  const watch = 'watch: { shipments: { every: 2m }, tracking: { every: 15m } }'
  const budget = 'budget: { requests: 600, per: 1m }'
  const lines = accounts.map(
    (name) => `  ${name}: { base_url: "http://127.0.0.1:1", api_key: "\${KEY}", ${budget}, ${watch} }`,
  )
  return `accounts:
${lines.join('\n')}
subscriptions:
  erp: { url: "http://127.0.0.1:1/hooks", secret: ${SECRET}, events: ["*"] }
  off: { url: "http://127.0.0.1:1/off", secret: ${SECRET}, events: ["*"], enabled: false }
delivery: { allow_networks: [127.0.0.0/8] }
http: false
${more}`
}

/** Shipments of an account, all read at `T`, and its list's pass completed. */
async function shipments(store: Store, account = 'acme', ids: readonly string[] = ['SHP-1']): Promise<void> {
  const list = await store.startPass(account, 'shipment', T)
  const state = { ...list, completedAt: T, baselinedAt: T }
  const records = ids.map((id) => write(sampleState(id)))
  await store.commit(batch({ account, records, list: { resource: 'shipment', state } }))
}

async function endpoints(store: Store): Promise<void> {
  const both = [
    { name: 'erp', enabled: true },
    { name: 'off', enabled: false },
  ]
  await store.syncSubscriptions(both, T)
}

async function place(fill: (store: Store) => Promise<void>, text = configuration()) {
  const { cwd } = await ledger(fill)
  writeFileSync(path.join(cwd, 'shipbell.yaml'), text)
  const hold = (command = 'run') =>
    lockStore(path.join(cwd, 'shipbell.db'), { pid: 4242, command, since: '2026-11-21T08:00:00.000Z', host: 'box' })
  const status = async (at: number, args: readonly string[] = [], more: object = {}) =>
    await runCommand(statusCommand, args, { cwd, clock: new FakeClock(at), ...more })
  const needs = async (at: number, args: readonly string[] = [], more: object = {}) => {
    const { exitCode, stdout } = await status(at, [...args, '--json'], more)
    const document: { daemon: JsonObject; needs: readonly JsonObject[] } = JSON.parse(stdout)
    return { exitCode, daemon: document.daemon, kinds: document.needs.map(({ kind }) => kind), needs: document.needs }
  }
  return { cwd, hold, status, needs }
}

/** A list of which passes could not read all, for so many passes. */
async function incomplete(store: Store, passes: number): Promise<void> {
  await shipments(store)
  const list = await store.listState('acme', 'shipment')
  const [skip, reason, hasRung] = [137, '1 row cannot be read, behind 137 others: 500', passes >= 3]
  const gaps = { ...list.gaps, incomplete: { passes, at: T, since: T, skip, reason, hasRung } }
  await store.commit(batch({ list: { resource: 'shipment', state: { ...list, gaps } } }))
}

/** A list of which one sample of 400 showed that it is old. */
async function stale(store: Store): Promise<void> {
  await shipments(store)
  const agrees = Array.from({ length: 399 }, () => ({ kind: 'agrees', id: 'SHP-1', at: T }) as const)
  const samples = [...agrees, { kind: 'stale', id: 'SHP-7', fields: ['/status'], at: T } as const]
  const audit = samples.reduce<ListAudit | null>((known, sample) => auditAfter(known, sample).audit, null)
  if (audit !== null) await store.commit(batch({ audit: { resource: 'shipment', audit } }))
}

describe('a list that shows old rows', () => {
  it('needs a person, and says how many rows may be old at most, unless it is not audited', async () => {
    const { cwd, hold, needs, status } = await place(stale)
    using _ = hold()
    const found = await needs(T + MINUTE)
    expect(found).toMatchObject({ exitCode: 1, kinds: ['stale'], needs: [{ account: 'acme', resource: 'shipments' }] })
    const { stdout } = await status(T + MINUTE)
    expect(stdout).toMatch(/^acme +shipments +1 of 400 differed; at most 1\.18 % with 95 % confidence +stale$/m)
    const audit = {
      sampled: 400,
      differed: 1,
      at_most: expect.closeTo(0.0118, 4),
      stale_since: '2026-11-21T08:00:00.000Z',
    }
    const document = JSON.parse((await status(T + MINUTE, ['--json'])).stdout)
    expect(document.accounts[0].resources[0].audit).toEqual(audit)
    const file = path.join(cwd, 'shipbell.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('budget:', 'audit: false, budget:'))
    expect(await needs(T + MINUTE)).toMatchObject({ exitCode: 0, kinds: [] })
  })
})

describe('whether a daemon runs', () => {
  it('is said first, by whom and since when, and is no need while nothing is late', async () => {
    const { hold, needs, status } = await place(shipments)
    expect(await needs(T + MINUTE)).toMatchObject({ exitCode: 0, kinds: [], daemon: { running: false, pid: null } })
    expect((await status(T + MINUTE)).stdout).toMatch(/^No daemon runs\. Start it with `shipbell run`\.\n\nACCOUNT/)
    using _ = hold()
    expect(await needs(T + MINUTE)).toMatchObject({
      exitCode: 0,
      daemon: { running: true, pid: 4242, command: 'run', since: '2026-11-21T08:00:00.000Z', host: 'box' },
    })
    expect((await status(T + MINUTE)).stdout).toMatch(
      /^The daemon runs: process 4242 on box since 2026-11-21T08:00:00\.000Z \(1m\)\.\n\nACCOUNT/,
    )
  })

  it('needs a person once a promise is late without one, secrets or not', async () => {
    const { needs, status } = await place(shipments)
    for (const env of [{}, { KEY: 'k' }]) {
      expect(await needs(T + 2 * MINUTE + 1, [], { env })).toMatchObject({ exitCode: 1, kinds: ['no_daemon'] })
    }
    const { stdout } = await status(T + 5 * MINUTE)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'No daemon runs. Needs a person: No daemon runs while promises are late: acme shipments, read 5m ago, to be read every 2m. Start it with `shipbell run`.',
    )
  })

  it('is said of lateness beside one only past its grace, with exit code 0: it catches up by itself', async () => {
    const { hold, needs, status } = await place(shipments)
    using _ = hold()
    expect(await needs(T + 3 * MINUTE)).toMatchObject({ exitCode: 0, kinds: [] })
    expect((await status(T + 3 * MINUTE)).stdout).toMatch(/^acme +shipments +1 +3m ago +2m +grace$/m)
    expect(await needs(T + 4 * MINUTE)).toMatchObject({ exitCode: 0, kinds: ['late'] })
    expect((await status(T + 4 * MINUTE)).stdout).toMatch(/^acme +shipments +1 +4m ago +2m +late$/m)
  })

  it('takes a command that sends one delivery for no daemon', async () => {
    const { hold, needs } = await place(shipments)
    using _ = hold('subscriptions test')
    expect(await needs(T + 5 * MINUTE)).toMatchObject({ exitCode: 1, daemon: { running: false } })
  })
})

describe('what needs a person', () => {
  it('is a hold that nobody has judged', async () => {
    const { needs } = await place(async (store) => {
      await shipments(store)
      await store.commit(batch({ hold: { resource: 'shipment', hold: sampleHold(), expectedVerdict: null } }))
    })
    const found = await needs(T)
    expect(found).toMatchObject({ exitCode: 1, kinds: ['held'] })
    expect(found.needs[0]).toEqual({
      kind: 'held',
      urgent: true,
      account: 'acme',
      subscription: null,
      resource: 'shipments',
      what: 'acme: 10 of 20 shipments are gone from the list, which is not believed.',
      remedy:
        'Look at the platform, then `shipbell holds accept --account acme --resource shipments`, or `reject` in place of `accept`.',
      page: '/accounts/acme',
    })
  })

  it('is a hold alone, and not the lateness that follows from it', async () => {
    const { hold, needs } = await place(async (store) => {
      await shipments(store)
      await store.commit(batch({ hold: { resource: 'shipment', hold: sampleHold(), expectedVerdict: null } }))
    })
    using _ = hold()
    expect(await needs(T + 60 * MINUTE)).toMatchObject({ kinds: ['held'] })
  })

  it('is an endpoint that is disabled, but not by the file', async () => {
    const { needs } = await place(async (store) => {
      await endpoints(store)
      await store.disable('erp', { reason: 'by command', at: T })
    })
    const found = await needs(T)
    expect(found).toMatchObject({ exitCode: 1, kinds: ['disabled'] })
    expect(found.needs[0]).toMatchObject({ subscription: 'erp', page: '/subscriptions/erp' })
  })

  it('is an endpoint that fails, from its first failure on, with a daemon or without', async () => {
    const { hold, needs } = await place(async (store) => {
      await endpoints(store)
      await failOnce(store, { kind: 'retry', at: T + 5_000 })
    })
    expect(await needs(T + 2_000)).toMatchObject({ exitCode: 1, kinds: ['failing'] })
    using _ = hold()
    expect(await needs(T + 2_000)).toMatchObject({ exitCode: 1, kinds: ['failing'] })
  })

  it('is an event whose last retry failed', async () => {
    const { needs } = await place(async (store) => {
      await endpoints(store)
      await failOnce(store, { kind: 'exhausted' })
    })
    const found = await needs(T + 2_000)
    expect(found).toMatchObject({ exitCode: 1, kinds: ['failing', 'exhausted'] })
    expect(found.needs[1]?.what).toBe('erp: 1 event is not delivered, and no retry is left.')
  })

  it('is a budget that is too small, which can wait', async () => {})

  it('needs nobody where it is watched no more', async () => {
    const text = configuration().replace('requests: 600', 'requests: 1').replace('per: 1m', 'per: 1h')
    const { hold, needs } = await place(shipments, text)
    using _ = hold()
    expect(await needs(T + MINUTE, [], { env: { KEY: 'k' } })).toMatchObject({ exitCode: 0, kinds: ['does_not_fit'] })
    expect(await needs(T + 60 * MINUTE, [], { env: { KEY: 'k' } })).toMatchObject({ kinds: ['does_not_fit'] })
  })

  it('is a record that cannot be understood, which can wait', async () => {
    const { needs } = await place(async (store) => {
      await shipments(store)
      const remember = [
        { id: 'SHP-9', reason: 'no status' },
        { id: null, reason: 'no id' },
      ]
      await store.commit(batch({ quarantine: { resource: 'shipment', via: 'list', remember, forget: [] } }))
    })
    const found = await needs(T)
    expect(found).toMatchObject({ exitCode: 0, kinds: ['quarantined'] })
    expect(found.needs[0]?.what).toBe('acme: 2 records cannot be understood, and keep their last good reading.')
    expect((await needs(T, ['--account', 'acme'])).kinds).toEqual(['quarantined'])
  })

  it('is nothing of an account that is configured no more', async () => {
    const { needs } = await place(async (store) => {
      await shipments(store, 'gone')
      const hold = { resource: 'shipment', hold: sampleHold(), expectedVerdict: null } as const
      await store.commit(batch({ account: 'gone', hold }))
    })
    expect(await needs(T + 60 * MINUTE)).toMatchObject({ exitCode: 0, kinds: [] })
  })
})

describe('what status shows', () => {
  it('fits 80 columns with 20 accounts, whatever their platforms say', async () => {
    const names = Array.from({ length: 20 }, (_, nth) => `customer-north-${String(nth).padStart(2, '0')}`)
    const { status } = await place(async (store) => {
      await endpoints(store)
      for (const [nth, name] of names.entries()) {
        await shipments(store, name, [`A${nth}`, `B${nth}`])
        const health = {
          state: nth % 2 === 0 ? 'unauthorized' : 'degraded',
          since: T,
          reason: `no ${'answer '.repeat(30)}`,
        } as const
        const account = sampleState(name, { resource: 'account', seen: null, reported: null, memory: { health } })
        await store.commit(batch({ account: name, records: [write(account, { contentHash: null })] }))
      }
    }, configuration(names))
    const { exitCode, stdout } = await status(T + 60 * MINUTE, [], { isTTY: true, env: { KEY: 'k' } })
    expect(exitCode).toBe(1)
    const widest = Math.max(
      ...stripVTControlCharacters(stdout)
        .split('\n')
        .map((line) => stringWidth(line)),
    )
    expect(widest).toBeLessThanOrEqual(80)
    expect(stdout.match(/customer-north-01 is degraded: no answer/g)).toHaveLength(1)
    expect(stdout.match(/customer-north-02: the platform refuses the key/g)).toHaveLength(1)
  })

  it('narrows to one account, and knows no other', async () => {
    const { needs, status } = await place(
      async (store) => {
        await shipments(store, 'acme')
        await shipments(store, 'other')
      },
      configuration(['acme', 'other']),
    )
    const { stdout } = await status(T + 5 * MINUTE, ['--account', 'other'])
    expect(stdout).toMatch(/^other +shipments/m)
    expect(stdout).not.toContain('acme')
    expect((await needs(T + 5 * MINUTE, ['--account', 'other'])).needs[0]?.what).toContain('late: other shipments')
    expect(await status(T, ['--account', 'othr'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('other'),
    })
  })

  it('shows the oldest read of tracking that is still read, not that of a shipment long closed', async () => {
    const { status } = await place(async (store) => {
      await shipments(store, 'acme', ['SHP-1'])
      const month = 30 * 24 * 60 * MINUTE
      const closed = sampleState('SHP-0', { closedAt: T - month })
      const list = await store.startPass('acme', 'tracking', T - month)
      const state = { ...list, completedAt: T - month, baselinedAt: T - month }
      await store.commit(
        batch({ records: [write(closed), tracked('SHP-0', T - month), tracked('SHP-1', T - 5 * MINUTE)] }),
      )
      await store.commit(batch({ list: { resource: 'tracking', state } }))
    })
    expect((await status(T)).stdout).toMatch(/^acme +tracking +2 +5m ago +15m +fresh$/m)
  })

  it('counts no row as undelivered that only waits for the hour of its digest', async () => {
    const { status } = await place(async (store) => {
      await endpoints(store)
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const [row] = await store.claim({ owner: 'me', now: T + 1, leaseMs: MINUTE, slots: new Map([['erp', 1]]) })
      await store.settle('me', [{ id: row?.id ?? '', attempt: null, result: { kind: 'retry', at: T + 60 * MINUTE } }])
    })
    const { totals } = JSON.parse((await status(T + 1_000, ['--json'])).stdout)
    expect(totals).toMatchObject({ pending: 1, waiting: 1, undelivered: 0 })
    expect((await status(T + 1_000)).stdout).toContain('1 of the pending rows only wait')
  })

  it('draws again every 2 s with --watch, until Ctrl-C', async () => {
    const { cwd, status } = await place(shipments)
    const clock = new FakeClock(T + MINUTE)
    const stop = new AbortController()
    const watching = runCommand(statusCommand, ['--watch'], {
      cwd,
      clock,
      signal: stop.signal,
      isTTY: true,
      env: { NO_COLOR: '1' },
    })
    for (let drawn = 0; drawn < 3; drawn += 1) {
      while (clock.nextWakeAt === null) await new Promise((resolve) => setImmediate(resolve))
      await clock.advance(2_000)
    }
    stop.abort()
    const { exitCode, stdout } = await watching
    expect(exitCode).toBe(0)
    expect(stdout.startsWith('\u001B[H\u001B[JNo daemon runs.')).toBe(true)
    expect(stdout.match(/1m2s ago/g)).toHaveLength(1)
    expect(await status(T, ['--watch', '--json'])).toMatchObject({ exitCode: 2 })
  })
})

function tracked(id: string, at: number) {
  return write(sampleState(id, { resource: 'tracking', lastRead: { sentAt: at - 100, answeredAt: at } }))
}

async function failOnce(store: Store, result: Parameters<Store['settle']>[1][number]['result']): Promise<void> {
  await ring(store, [sampleEvent('evt_1')], ['erp'])
  const [row] = await store.claim({ owner: 'me', now: T + 1_000, leaseMs: MINUTE, slots: new Map([['erp', 1]]) })
  await store.settle('me', [{ id: row?.id ?? '', attempt: attempt(), result }])
}

describe('a list that passes cannot read whole', () => {
  it('needs somebody once that rang, and is named', async () => {
    const { hold, needs, status } = await place(async (store) => await incomplete(store, 3))
    using _ = hold()
    const found = await needs(T)
    expect(found).toMatchObject({ exitCode: 1, kinds: ['incomplete'] })
    expect(found.needs[0]).toMatchObject({ account: 'acme', resource: 'shipments', urgent: true })
    expect(found.needs[0]?.what).toBe(
      'acme: not all shipments can be read: 1 row cannot be read, behind 137 others: 500.',
    )
    expect((await status(T)).stdout).toMatch(/acme +shipments .* incomplete/)
  })

  it('needs nobody before', async () => {
    const before = await place(async (store) => await incomplete(store, 2))
    using _ = before.hold()
    expect((await before.needs(T)).kinds).toEqual([])
  })

  it('needs nobody where it is watched no more', async () => {
    const text = configuration().replace(
      'shipments: { every: 2m }, tracking: { every: 15m }',
      'invoices: { every: 2m }',
    )
    const after = await place(async (store) => await incomplete(store, 3), text)
    using _ = after.hold()
    expect((await after.needs(T)).kinds).not.toContain('incomplete')
  })
})
