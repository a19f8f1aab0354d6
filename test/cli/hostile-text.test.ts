import { describe, expect, it } from 'vitest'
import { checkCommand } from '../../src/cli/check.ts'
import { deliveriesCommand } from '../../src/cli/deliveries.ts'
import { eventsCommand } from '../../src/cli/events.ts'
import { logLines } from '../../src/cli/log-line.ts'
import { statusCommand } from '../../src/cli/status.ts'
import { createLogger } from '../../src/log.ts'
import { scratchFolder } from '../config/scratch.ts'
import { attempt, batch, sampleEvent, sampleProvenance, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { HOSTILE, PLAIN } from './hostile-text.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

async function hostileLedger() {
  return await ledger(async (store) => {
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    const event = sampleEvent('evt_1', {
      extras: { [HOSTILE]: HOSTILE },
      changes: [{ path: `/${HOSTILE}`, from: HOSTILE, to: null }],
    })
    const deliveries = [{ eventId: 'evt_1', subscription: 'erp' }]
    await store.commit(batch({ events: [event], deliveries, provenance: sampleProvenance() }))
    const [row] = await store.claim({ owner: 'me', now: T + 1000, leaseMs: 60_000, slots: new Map([['erp', 1]]) })
    const failed = attempt({ answer: HOSTILE, error: HOSTILE })
    await store.settle('me', [{ id: row?.id ?? '', attempt: failed, result: { kind: 'retry', at: T + 9000 } }])
  })
}

describe('no text of others steers a terminal', () => {
  it.each([
    { name: 'events show', command: eventsCommand, args: ['show', 'evt_1'], code: 0 },
    { name: 'events show --json', command: eventsCommand, args: ['show', 'evt_1', '--json'], code: 0 },
    { name: 'events list', command: eventsCommand, args: ['list'], code: 0 },
    { name: 'events list --json', command: eventsCommand, args: ['list', '--json'], code: 0 },
    { name: 'deliveries list', command: deliveriesCommand, args: ['list'], code: 0 },
    { name: 'deliveries list --json', command: deliveriesCommand, args: ['list', '--json'], code: 0 },
    { name: 'status', command: statusCommand, args: [], code: 1 },
  ] as const)('in $name', async ({ command, args, code }) => {
    const { cwd } = await hostileLedger()
    for (const isTTY of [true, false]) {
      const { exitCode, stdout, stderr } = await runCommand(command, args, {
        cwd,
        isTTY,
        clock: new FakeClock(T + 10_000),
      })
      expect([exitCode, stderr]).toEqual([code, ''])
      expect(stdout).toMatch(PLAIN)
      expect(stdout).not.toContain('\u001b[8m')
    }
  })

  it('and --json says the same, but for half of a character', async () => {
    const { cwd } = await hostileLedger()
    const { stdout } = await runCommand(eventsCommand, ['list', '--json'], { cwd, clock: new FakeClock(T + 10_000) })
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ [HOSTILE.toWellFormed()]: HOSTILE.toWellFormed() }) }),
    ])
  })

  it.each([[[]], [['--json']]])('in check %j, which quotes the file', async (args) => {
    const yaml = `"accounts\\x9b\\u202e\\e[8m": {}\n${JSON.stringify(HOSTILE)}: 1\n`
    for (const isTTY of [true, false]) {
      const { stdout } = await runCommand(checkCommand, args, { cwd: scratchFolder({ 'shipbell.yaml': yaml }), isTTY })
      expect(stdout).toContain('202e')
      expect(stdout).toMatch(PLAIN)
      expect(stdout).not.toContain('\u001b[8m')
    }
  })

  it.each([false, true])('in the log, readable: %s', (readable) => {
    const lines: string[] = []
    const log = createLogger({
      level: 'info',
      pretty: readable && logLines,
      colour: true,
      secrets: () => [],
      write: (line) => lines.push(line),
    })
    log.info({ [HOSTILE]: HOSTILE, deep: { [HOSTILE]: [HOSTILE] }, err: new Error(HOSTILE) }, `said ${HOSTILE}`)
    const said = lines.join('')
    expect(said).toContain('said x')
    expect(said).toMatch(PLAIN)
    expect(said).not.toContain('\u001b[8m')
    if (!readable) expect(JSON.parse(said)).toMatchObject({ deep: { [HOSTILE]: [HOSTILE] } })
  })
})
