import { describe, expect, it } from 'vitest'
import { holdsCommand } from '../../src/cli/holds.ts'
import { batch, sampleHold, sampleState, T, write } from '../store/samples.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

async function held() {
  return await ledger(async (store) => {
    const shipments = await store.startPass('acme', 'shipment', T)
    const records = ['SHP-1', 'SHP-2'].map((id) => write(sampleState(id)))
    await store.commit(batch({ records, list: { resource: 'shipment', state: shipments } }))
    const hold = sampleHold({ sample: ['SHP-1', 'SHP-2', 'SHP-3', 'SHP \u001b[2J'] })
    await store.commit(
      batch({
        missed: { resource: 'shipment', ids: ['SHP-1'] },
        hold: { resource: 'shipment', hold, expectedVerdict: null },
      }),
    )
  })
}

async function holds(args: readonly string[], cwd: string) {
  return await runCommand(holdsCommand, args, { cwd })
}

const ACME = ['--account', 'acme', '--resource', 'shipments']

describe('shipbell holds', () => {
  it('lists what is held', async () => {
    const { cwd } = await held()
    const { exitCode, stdout } = await holds(['list'], cwd)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^ACCOUNT +RESOURCE [^\n]*\nacme +shipments +too many at once +20 +10 +2026-11-21T08:00:00\.000Z +waits for a verdict +SHP-1 SHP-2 SHP-3 …\n$/,
    )
  })

  it('prints one document with --json', async () => {
    const { cwd } = await held()
    expect(JSON.parse((await holds(['list', '--json'], cwd)).stdout)).toEqual([
      {
        account: 'acme',
        resource: 'shipments',
        reason: 'too_many',
        since: '2026-11-21T08:00:00.000Z',
        known: 20,
        missing: 10,
        sample: ['SHP-1', 'SHP-2', 'SHP-3', 'SHP \u001b[2J'],
        verdict: null,
      },
    ])
  })

  it('says so where nothing is held', async () => {
    const { cwd } = await ledger(async () => undefined)
    expect((await holds(['list'], cwd)).stdout).toBe('No removals are held.\n')
    expect((await holds(['list', '--json'], cwd)).stdout).toBe('[]\n')
  })

  it('accepts: the daemon finds the verdict in the store', async () => {
    const { cwd, store } = await held()
    expect((await holds(['accept', ...ACME], cwd)).stdout).toBe(
      'acme shipments: accepted; the next complete pass is believed about 10 missing items.\n',
    )
    expect((await holds(['list'], cwd)).stdout).toContain('accepted')
    await using opened = store()
    expect((await opened.doubts('acme', 'shipment')).hold).toMatchObject({ verdict: 'accept' })
  })

  it('rejects: the hold and the misses are forgotten', async () => {
    const { cwd, store } = await held()
    expect((await holds(['reject', ...ACME], cwd)).stdout).toBe(
      'acme shipments: rejected; 10 missing items forgotten, and if it is still so after two more passes it rings anew.\n',
    )
    expect((await holds(['list'], cwd)).stdout).toBe('No removals are held.\n')
    await using opened = store()
    expect((await opened.known('acme', 'shipment', ['SHP-1'])).get('SHP-1')?.misses).toBe(0)
  })

  it('prints the verdict with --json', async () => {
    const { cwd } = await held()
    expect(JSON.parse((await holds(['accept', ...ACME, '--json'], cwd)).stdout)).toMatchObject({
      account: 'acme',
      resource: 'shipments',
      verdict: 'accept',
    })
  })

  it.each(['accept', 'reject'])('%s exits 2 where the account is unknown', async (verdict) => {
    const { cwd } = await held()
    expect(await holds([verdict, '--account', 'acmee', '--resource', 'shipments'], cwd)).toMatchObject({
      exitCode: 2,
      stderr: 'The store knows no account "acmee": did you mean acme?',
    })
  })

  it.each(['accept', 'reject'])('%s exits 1 where nothing is held, and names what is', async (verdict) => {
    const { cwd } = await held()
    expect(await holds([verdict, '--account', 'acme', '--resource', 'invoices'], cwd)).toMatchObject({
      exitCode: 1,
      stderr: 'No removals of invoices of account "acme" are held; held are: acme shipments.',
    })
    await holds(['reject', ...ACME], cwd)
    expect(await holds([verdict, ...ACME], cwd)).toMatchObject({
      exitCode: 1,
      stderr: 'No removals of shipments of account "acme" are held; no removals are held at all.',
    })
  })

  it.each([
    [['accept', '--account', 'acme'], '--resource'],
    [['accept', '--resource', 'shipments'], '--account'],
    [['reject', '--account', 'acme', '--resource', 'boats'], 'boats'],
  ])('refuses %j', async (args, names) => {
    const { cwd } = await held()
    const { exitCode, stderr } = await holds(args, cwd)
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain(names)
  })

  it('judges records that no fetch proves gone apart from their list', async () => {
    const { cwd, store } = await held()
    {
      await using opened = store()
      await opened.commit(batch({ unproved: { resource: 'shipment', add: ['SHP-1', 'SHP-2'], drop: [], at: T } }))
    }
    expect((await holds(['list'], cwd)).stdout).toMatch(
      /acme +shipments +passes miss them, and a fetch by id proves nothing +2 +2 .* SHP-1 SHP-2\n$/,
    )
    expect(await holds(['accept', ...ACME], cwd)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('name one by its reason, too_many or unproved'),
    })
    expect((await holds(['accept', ...ACME, '--reason', 'unproved'], cwd)).stdout).toBe(
      'acme shipments: accepted; the next complete pass that misses them removes 2 missing items.\n',
    )
    expect((await holds(['reject', ...ACME, '--reason', 'unproved'], cwd)).stdout).toBe(
      'acme shipments: rejected; 2 missing items kept until the list shows them again.\n',
    )
    expect(JSON.parse((await holds(['list', '--json'], cwd)).stdout)).toMatchObject([{ reason: 'too_many' }])
  })
})
