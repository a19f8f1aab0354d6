import { describe, expect, it } from 'vitest'
import { exceptionsCommand } from '../../src/cli/exceptions.ts'
import { batch, sampleEvent, T } from '../store/samples.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

async function opened() {
  return await ledger(async (store) => {
    const subject = { resource: 'invoice', id: 'INV-1', version: 1, previousEventId: null } as const
    const events = [sampleEvent('evt_1', { type: 'invoice.overdue', subject, extras: { days_overdue: 1 } })]
    const problem = { type: 'shipment.problem_reported', milestone: 'arrival', at: T + 60_000 } as const
    const opens = ['A', 'B'].map((id) => ({ ...problem, subject: { resource: 'shipment' as const, id } }))
    await store.commit(batch({ events, exceptions: { opens } }))
    const closes = [{ resource: 'shipment', subjectId: 'B', by: 'removed', at: T + 120_000 }] as const
    await store.commit(batch({ exceptions: { closes } }))
  })
}

async function exceptions(args: readonly string[], cwd: string) {
  return await runCommand(exceptionsCommand, args, { cwd })
}

async function listed(args: readonly string[], cwd: string) {
  return JSON.parse((await exceptions(['list', '--json', ...args], cwd)).stdout)
}

describe('shipbell exceptions', () => {
  it('lists what is open, and with --all what closed', async () => {
    const { cwd } = await opened()
    const { stdout } = await exceptions(['list'], cwd)
    expect(stdout).toMatch(
      /^ID +ACCOUNT +TYPE [^\n]*\nexc_\w{8} +acme +shipment\.pr\S*… +A +arrival +2026-11-21 08:01 +open\nexc_\w{8} +acme +invoice\.ov\S* +INV-1 +– +2026-11-21 08:00 +open\n$/,
    )
    expect(await listed(['--type', 'invoice.overdue'], cwd)).toEqual([
      {
        id: expect.stringMatching(/^exc_/),
        account: 'acme',
        type: 'invoice.overdue',
        subject: { resource: 'invoice', id: 'INV-1' },
        milestone: null,
        expectation: null,
        severity: 'critical',
        state: 'open',
        opened_at: '2026-11-21T08:00:00.000Z',
        event_id: 'evt_1',
        acknowledged: null,
        closed_at: null,
        closed_by: null,
      },
    ])
    expect(await listed(['--all', '--account', 'acme'], cwd)).toHaveLength(3)
    expect((await exceptions(['list', '--type', 'shipment.rolled'], cwd)).stdout).toBe('Nothing is open.\n')
    expect((await exceptions(['list', '--account', 'acne'], cwd)).exitCode).toBe(2)
    expect(await exceptions(['list', '--type', 'invoice.overdu'], cwd)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/names no event type: those that open exceptions are .*invoice\.overdue/),
    })
  })

  it('acknowledges one until an instant, and takes that back', async () => {
    const { cwd } = await opened()
    const [{ id }] = await listed(['--type', 'invoice.overdue'], cwd)
    const until = '2126-12-01T08:00:00Z'
    const { exitCode, stdout } = await exceptions(
      ['ack', id.slice(0, 12), '--note', 'paid soon', '--until', until],
      cwd,
    )
    expect([exitCode, stdout]).toEqual([0, `${id} is acknowledged until 2126-12-01T08:00:00.000Z.\n`])
    expect(await listed(['--type', 'invoice.overdue'], cwd)).toMatchObject([
      { state: 'acknowledged', acknowledged: { by: 'cli', note: 'paid soon', until: '2126-12-01T08:00:00.000Z' } },
    ])
    expect((await exceptions(['reopen', id], cwd)).stdout).toBe(`${id} is open again.\n`)
    expect(await listed(['--type', 'invoice.overdue'], cwd)).toMatchObject([{ state: 'open', acknowledged: null }])
  })

  it('refuses a closed one, an unknown one, a beginning of several, a time that is past and a note that is too long', async () => {
    const { cwd } = await opened()
    const closed = (await listed(['--all'], cwd)).find(({ state }: { state: string }) => state === 'closed')
    const asked = [
      ['ack', closed.id],
      ['reopen', closed.id],
      ['ack', 'exc_none'],
      ['ack', 'exc_'],
      ['ack', closed.id, '--until', '2020-01-01'],
      ['ack', closed.id, '--note', 'n'.repeat(2_001)],
    ]
    const codes = await Promise.all(asked.map(async (args) => (await exceptions(args, cwd)).exitCode))
    expect(codes).toEqual([1, 1, 1, 2, 2, 2])
  })
})
