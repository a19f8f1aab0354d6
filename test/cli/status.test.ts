import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { statusCommand } from '../../src/cli/status.ts'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { lockStore } from '../../src/store/file/store-lock.ts'
import { credentialKeyOf } from '../../src/poll/requests/tenant.ts'
import { attempt, batch, ring, sampleEvent, sampleState, T, write } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { CONFIGURATION, ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

async function watched(more: (store: Store) => Promise<void> = async () => undefined) {
  return await ledger(async (store) => {
    await store.syncSubscriptions(
      [
        { name: 'erp', enabled: true },
        { name: 'ops', enabled: false },
      ],
      T,
    )
    const state = await store.startPass('acme', 'shipment', T)
    await store.commit(
      batch({
        records: [write(sampleState('SHP-1')), write(sampleState('SHP-2'))],
        list: { resource: 'shipment', state: { ...state, completedAt: T + 1000, baselinedAt: T + 1000 } },
      }),
    )
    const health = { state: 'unauthorized', since: T, reason: 'HTTP 401 \u001b[2J' } as const
    const account = sampleState('acme', { resource: 'account', seen: null, reported: null, memory: { health } })
    await store.commit(batch({ records: [write(account, { contentHash: null })] }))
    await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp', 'ops'])
    const [row] = await store.claim({ owner: 'me', now: T + 1000, leaseMs: 60_000, slots: new Map([['erp', 1]]) })
    await store.settle('me', [{ id: row?.id ?? '', attempt: attempt(), result: { kind: 'retry', at: T + 9000 } }])
    await more(store)
  })
}

/** Of the shipment or its tracking, seen between two instants after `T`. */
function seenChange(resource: 'shipment' | 'tracking', [from, to]: readonly [number, number]) {
  return sampleEvent(`evt_${resource}`, {
    subject: { resource, id: 'SHP-1', version: 1, previousEventId: null },
    timestamp: T + to,
    observed: { notBefore: T + from, notAfter: T + to },
  })
}

/** How long a change of a tracking went unseen, as status has it, that a read showed at an instant after its row's change at `T`. */
async function trackingAchieved(readAt: number): Promise<string | undefined> {
  const row = seenChange('shipment', [-120_000, 0])
  const tracking = seenChange('tracking', [-3_600_000, readAt])
  const { cwd } = await ledger(async (store) => ring(store, [row, tracking], []))
  const { stdout } = await runCommand(statusCommand, [], { cwd, clock: new FakeClock(T + 1_200_000) })
  return /^acme +tracking +– +(\S+) \(/m.exec(stdout)?.[1]
}

const clock = () => new FakeClock(T + 61_000)

describe('shipbell status', () => {
  it('tells a store that was moved away from one that nobody has made yet', async () => {
    const { cwd } = await ledger(async () => undefined)
    const file = path.join(cwd, 'shipbell.db')
    lockStore(file, { pid: 1, command: 'run', since: '', host: '' })[Symbol.dispose]()
    rmSync(file)
    expect(await runCommand(statusCommand, [], { cwd })).toMatchObject({
      exitCode: 3,
      stderr: `The store ${file} was deleted or moved, but for its lock: put the file back, or correct storage.path.`,
    })
    rmSync(`${file}.lock`)
    expect(await runCommand(statusCommand, [], { cwd })).toMatchObject({
      exitCode: 3,
      stderr: `There is no store at ${file} yet: start the daemon with \`shipbell run\` first.`,
    })
  })

  it('prints accounts with their freshness, and subscriptions with their backlog', async () => {
    const { cwd } = await watched()
    const { exitCode, stdout } = await runCommand(statusCommand, [], { cwd, clock: clock() })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(
      /^No daemon runs\..*\nNeeds a person:\n  acme: the platform refuses the key: HTTP 401 \\x1b\[2J\.\n    Correct `api_key`/,
    )
    expect(stdout).toMatch(
      /^  erp failed once: The receiver answered 500\.\n    Try it with `shipbell subscriptions test erp`\.$/m,
    )
    expect(stdout).toMatch(/^acme +unauthorized +2 +2 +–$/m)
    expect(stdout).toMatch(/^acme +shipments +2 +1m1s ago +– +–$/m)
    expect(stdout).toMatch(/^erp +failing +2 +1m1s +0 +0 +0$/m)
    expect(stdout).toMatch(/^ops +disabled +0 +– +2 /m)
    expect(stdout).toMatch(/^all +2 +1m1s +2 +0 +0$/m)
    expect(stdout).toMatch(/^ops is disabled in the configuration\.$/m)
  })

  it('names a list that the key may not read while others answer, and exits 1', async () => {
    const reason = 'platform.example refused the API key (403)'
    const refused = { shipments: { since: T, reason, of: 'a key', skip: 0 } }
    const account = sampleState('acme', { resource: 'account', seen: null, reported: null, memory: { refused } })
    const { cwd } = await ledger(async (store) => {
      const state = await store.startPass('acme', 'shipment', T)
      await store.commit(batch({ list: { resource: 'shipment', state } }))
      await store.commit(batch({ records: [write(account, { contentHash: null })] }))
    })
    const emitted = await runCommand(statusCommand, [], { cwd, clock: clock() })
    expect(emitted.exitCode).toBe(1)
    const [needed = ''] = /Needs a person:\n.*\n.*/.exec(emitted.stdout) ?? []
    expect(needed.replaceAll(/\s+/g, ' ')).toContain(`acme: the key may not read shipments: ${reason}.`)
    expect(emitted.stdout).toMatch(/^acme +shipments .* refused$/m)
    const { stdout } = await runCommand(statusCommand, ['--json'], { cwd, clock: clock() })
    const { accounts } = JSON.parse(stdout)
    expect(accounts[0].health.state).toBe('ok')
    expect(accounts[0].resources[0].refused).toEqual({ since: '2026-11-21T08:00:00.000Z', reason })
  })

  it('prints one document with --json', async () => {
    const { cwd } = await watched()
    const { stdout } = await runCommand(statusCommand, ['--json'], { cwd, clock: clock() })
    expect(JSON.parse(stdout)).toEqual({
      daemon: { running: false, pid: null, command: null, since: null, host: null },
      workers: [],
      configuration: [],
      needs: [
        expect.objectContaining({ kind: 'refused', urgent: true, account: 'acme', page: '/accounts/acme' }),
        expect.objectContaining({ kind: 'failing', subscription: 'erp', page: '/subscriptions/erp' }),
      ],
      accounts: [
        {
          name: 'acme',
          health: { state: 'unauthorized', since: '2026-11-21T08:00:00.000Z', reason: 'HTTP 401 \u001b[2J' },
          pause: null,
          last_sequence: 2,
          budget_use: null,
          ceiling: null,
          resources: [
            {
              resource: 'shipments',
              records: 2,
              pass: 1,
              last_complete_pass_at: '2026-11-21T08:00:01.000Z',
              baselined_at: '2026-11-21T08:00:01.000Z',
              newest_read_at: '2026-11-21T08:00:00.000Z',
              oldest_read_at: '2026-11-21T08:00:00.000Z',
              refused: null,
              incomplete: null,
              audit: null,
              expected_delay: null,
              achieved_delay: { mean_seconds: 60, p95_seconds: 114 },
              changes_seen: 1,
            },
          ],
        },
      ],
      subscriptions: [
        {
          source: 'file',
          owner: null,
          snapshot: null,
          name: 'erp',
          state: 'failing',
          configured: true,
          enabled: true,
          disabled: null,
          deliveries: { pending: 2, delivered: 0, exhausted: 0, held: 0, discarded: 0 },
          failures_in_a_row: 1,
          failing_since: '2026-11-21T08:00:01.000Z',
          exhausted_since: null,
          last_failure_at: '2026-11-21T08:00:01.000Z',
          last_error: 'The receiver answered 500.',
          last_success_at: null,
          oldest_pending_at: '2026-11-21T08:00:00.000Z',
          oldest_pending_seconds: 61,
        },
        expect.objectContaining({ name: 'ops', state: 'disabled', enabled: false, oldest_pending_seconds: null }),
      ],
      totals: {
        pending: 2,
        delivered: 0,
        exhausted: 0,
        held: 2,
        discarded: 0,
        waiting: 0,
        undelivered: 4,
        oldest_pending_at: '2026-11-21T08:00:00.000Z',
        oldest_pending_seconds: 61,
      },
    })
  })

  it('says until when an account is left alone, and no longer than that', async () => {
    const pause = { failures: 0, throttles: 1, notBefore: T + 90_000, decidedAt: T, reason: 'asked to wait' }
    const { cwd } = await ledger(async (store) => store.commit(batch({ pause })))
    const at = async (now: number, ...args: string[]) =>
      (await runCommand(statusCommand, args, { cwd, clock: new FakeClock(now) })).stdout
    expect(await at(T)).toMatch(/^acme +paused .*\nacme is not asked before 2026-11-21T08:01:30\.000Z: asked to wait$/m)
    expect(await at(T + 90_000)).toMatch(/^acme +ok /m)
    expect(JSON.parse(await at(T, '--json')).accounts[0].pause).toEqual({
      until: '2026-11-21T08:01:30.000Z',
      since: '2026-11-21T08:00:00.000Z',
      reason: 'asked to wait',
    })
  })

  it('says how soon changes are to be expected to be seen, where the configuration can be read, beside how soon they were', async () => {
    const { cwd } = await ledger(async (store) => {
      const list = await store.startPass('acme', 'shipment', T)
      const state = sampleState('SHP-1')
      const page = { kind: 'shown', resource: 'shipment', skip: 0, read: state.lastRead, pass: list.pass } as const
      const place = {
        ...page,
        rows: 1,
        contentHash: 'p',
        rules: '',
        current: list.pass,
        certainIdField: null,
        validator: null,
        ids: ['SHP-1'],
      }
      await store.commit(batch({ records: [write(state)], page: place, list: { resource: 'shipment', state: list } }))
      await ring(store, [sampleEvent('evt_1')], [])
    })
    const file = path.join(cwd, 'shipbell.yaml')
    const watch = 'watch: { shipments: {} } }'
    writeFileSync(file, CONFIGURATION.replace('api_key: "${KEY}" }', `api_key: "\${KEY}", ${watch}`))
    const said = async (env: Readonly<Record<string, string>>) =>
      (await runCommand(statusCommand, [], { cwd, env, clock: clock() })).stdout
    expect(await said({})).toMatch(/^acme +shipments +– +1m \(1m54s\) +1$/m)
    expect(await said({ KEY: 'k' })).toMatch(/^acme +shipments +\d+s \(\d+m?\d*s?\) +1m \(1m54s\) +1$/m)
  })

  it('takes what a row announced of a tracking for no older than the read of the row before', async () => {
    expect(await trackingAchieved(60_000)).toBe('1m30s')
    expect(await trackingAchieved(600_000)).toBe('35m')
  })

  it('says what the platform bears of the budget', async () => {
    const ceiling = { fraction: 0.5, loweredAt: T, creditedTo: T, isStrained: false }
    const { cwd } = await ledger(async (store) => store.commit(batch({ ceiling })))
    const said = async (...args: string[]) => (await runCommand(statusCommand, args, { cwd, clock: clock() })).stdout
    expect(await said()).toContain('acme: the platform bears 50 % of the budget since 2026-11-21T08:00:00.000Z.\n')
    expect(JSON.parse(await said('--json')).accounts[0].ceiling).toEqual({
      fraction: 0.5,
      since: '2026-11-21T08:00:00.000Z',
    })
  })

  it('says nothing of what another key was found to bear, and all that is known of its own', async () => {
    const ceiling = { fraction: 0.5, loweredAt: T, creditedTo: T, isStrained: false }
    const said = async (apiKey: string, env: Readonly<Record<string, string>>) => {
      const of = credentialKeyOf({ baseUrl: 'http://127.0.0.1:1', apiKey })
      const { cwd } = await ledger(async (store) => store.commit(batch({ ceiling: { ...ceiling, of } })))
      const { stdout } = await runCommand(statusCommand, ['--json'], { cwd, env, clock: clock() })
      return JSON.parse(stdout).accounts[0].ceiling?.fraction ?? null
    }
    expect(await said('old', { KEY: 'new' })).toBeNull()
    expect(await said('same', { KEY: 'same' })).toBe(0.5)
    expect(await said('whichever', {})).toBe(0.5)
  })

  it('speaks plainly of an empty store, and of none', async () => {
    const { cwd } = await ledger(async () => undefined)
    expect((await runCommand(statusCommand, [], { cwd })).stdout).toContain('No accounts yet')
    const none = await runCommand(statusCommand, ['-c', 'shipbell.yaml'], { cwd: `${cwd}/..` })
    expect(none.exitCode).toBe(2)
  })
})

async function subscriptions(args: readonly string[], cwd: string) {
  return await runCommand(subscriptionsCommand, args, { cwd, clock: clock() })
}

async function states(cwd: string): Promise<unknown> {
  const { stdout } = await subscriptions(['list', '--json'], cwd)
  return JSON.parse(stdout).map(({ name, state, deliveries }: Record<string, unknown>) => [name, state, deliveries])
}

describe('shipbell subscriptions', () => {
  it('lists what the store knows', async () => {
    const { cwd } = await watched()
    expect((await subscriptions(['list'], cwd)).stdout).toMatch(
      /^SUBSCRIPTION +STATE[^\n]*\nerp +failing [^\n]*\nops +disabled [^\n]*\nall [^\n]*\nerp failed once since [^\n]* 500\.\nops is disabled in the configuration\.\n$/,
    )
  })

  it('disables one, whose rows are held, and enables it, which releases them', async () => {
    const { cwd } = await watched()
    expect((await subscriptions(['disable', 'erp'], cwd)).stdout).toBe(
      'erp is disabled; its events are held until `shipbell subscriptions enable erp`.\n',
    )
    expect(await states(cwd)).toMatchObject([
      ['erp', 'disabled', { pending: 0, held: 2 }],
      ['ops', 'disabled', {}],
    ])
    expect((await subscriptions(['list'], cwd)).stdout).toContain('erp is disabled by command.')
    expect((await subscriptions(['enable', 'erp'], cwd)).stdout).toBe('erp is enabled; 2 held events released.\n')
    expect(await states(cwd)).toMatchObject([
      ['erp', 'ok', { pending: 2, held: 0 }],
      ['ops', 'disabled', {}],
    ])
  })

  it('enables one and drops what was held', async () => {
    const { cwd } = await watched()
    await subscriptions(['disable', 'erp'], cwd)
    expect((await subscriptions(['enable', 'erp', '--discard'], cwd)).stdout).toBe(
      'erp is enabled; 2 held events discarded.\n',
    )
    expect(await states(cwd)).toMatchObject([
      ['erp', 'ok', { pending: 0, held: 0, discarded: 2 }],
      ['ops', 'disabled', {}],
    ])
  })

  it('says that one stays disabled by the configuration', async () => {
    const { cwd } = await watched()
    expect((await subscriptions(['enable', 'ops'], cwd)).stdout).toBe(
      'ops is disabled in the configuration (enabled: false), so its events stay held; 0 held events released.\n',
    )
  })

  it('says what disabled one, and that the last retry of an event failed', async () => {
    const { cwd } = await watched(async (store) => {
      const [row] = await store.claim({ owner: 'me', now: T + 1000, leaseMs: 60_000, slots: new Map([['erp', 1]]) })
      await store.settle('me', [{ id: row?.id ?? '', attempt: attempt(), result: { kind: 'exhausted' } }])
    })
    const list = async () => JSON.parse((await subscriptions(['list', '--json'], cwd)).stdout)
    expect(await list()).toMatchObject([
      { name: 'erp', state: 'exhausted', exhausted_since: '2026-11-21T08:00:01.020Z', disabled: null },
      {},
    ])
    expect((await subscriptions(['list'], cwd)).stdout).toMatch(/^erp +exhausted /m)
    await subscriptions(['disable', 'erp'], cwd)
    expect(await list()).toMatchObject([{ state: 'disabled', disabled: { by: 'command' } }, {}])
  })

  it('says of what a store of version 1 calls disabled by command no more than that', async () => {
    const { cwd, store } = await watched()
    await using open = store()
    await open.disable('erp', { reason: 'disabled by command', at: T })
    expect((await subscriptions(['list'], cwd)).stdout).toMatch(/^erp is disabled by command\.$/m)
  })

  it('discards held events', async () => {
    const { cwd } = await watched()
    expect((await subscriptions(['discard', 'ops'], cwd)).stdout).toBe('ops: 2 held events discarded.\n')
    expect(await states(cwd)).toMatchObject([
      ['erp', 'failing', {}],
      ['ops', 'disabled', { held: 0, discarded: 2 }],
    ])
  })

  it.each(['enable', 'disable', 'discard'])(
    '%s exits 2 where the name is unknown, and creates nothing',
    async (command) => {
      const { cwd } = await watched()
      expect(await subscriptions([command, 'epr'], cwd)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('did you mean erp?'),
      })
      expect(await states(cwd)).toHaveLength(2)
    },
  )
})
