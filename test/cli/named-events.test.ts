import { describe, expect, it } from 'vitest'
import { deliveriesCommand } from '../../src/cli/deliveries.ts'
import { eventsCommand } from '../../src/cli/events.ts'
import { batch, ring, sampleEvent, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

async function severalEvents(): Promise<string> {
  const { cwd } = await ledger(async (store) => {
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(store, [sampleEvent('evt_aa11'), sampleEvent('evt_ab22')], ['erp'])
    await store.commit(batch({ account: 'beta', events: [sampleEvent('evt_ac33', { account: 'beta' })] }))
  })
  return cwd
}

async function show(cwd: string, ...args: readonly string[]) {
  const clock = new FakeClock(T + 10_000)
  const all = ['show', ...args, '--template', '{{ payload.id }}']
  const { exitCode, stderr, stdout } = await runCommand(eventsCommand, all, { cwd, clock })
  return [exitCode, stdout === '' ? stderr : stdout.trim()]
}

describe('an event on the command line', () => {
  it('is named by its id, the beginning of it, or its sequence', async () => {
    const cwd = await severalEvents()
    expect(await show(cwd, 'evt_aa11')).toEqual([0, 'evt_aa11'])
    expect(await show(cwd, 'evt_aa')).toEqual([0, 'evt_aa11'])
    expect(await show(cwd, '#2')).toEqual([0, 'evt_ab22'])
    expect(await show(cwd, '#1', '--account', 'beta')).toEqual([0, 'evt_ac33'])
    expect(await show(cwd, 'evt_a', '--account', 'beta')).toEqual([0, 'evt_ac33'])
  })

  it('must be one: several are named, none is not found', async () => {
    const cwd = await severalEvents()
    expect(await show(cwd, 'evt_a')).toEqual([
      2,
      '"evt_a" names several events: evt_aa11, evt_ab22, evt_ac33; give more of its id.',
    ])
    const [exitCode, said] = await show(cwd, '#1')
    expect([exitCode, said]).toEqual([
      2,
      expect.stringMatching(/evt_aa11.+evt_ac33; name its account with --account\.$/),
    ])
    expect((await show(cwd, 'evt_b'))[0]).toBe(1)
    expect((await show(cwd, '#9'))[0]).toBe(1)
  })

  it('is found by what the list shows of it', async () => {
    const cwd = await severalEvents()
    const listed = await runCommand(eventsCommand, ['list'], { cwd, clock: new FakeClock(T + 10_000) })
    const shortIds = [...listed.stdout.matchAll(/evt_\w+/g)].map(([id]) => id)
    expect(await Promise.all(shortIds.map(async (id) => await show(cwd, id)))).toEqual([
      [0, 'evt_aa11'],
      [0, 'evt_ab22'],
      [0, 'evt_ac33'],
    ])
  })

  it('is retried by a short name, too', async () => {
    const cwd = await severalEvents()
    const clock = new FakeClock(T + 10_000)
    const retry = async (...args: readonly string[]) => {
      const all = ['retry', ...args, '--dry-run', '--template', '{{ event_id }}']
      const { exitCode, stderr, stdout } = await runCommand(deliveriesCommand, all, { cwd, clock })
      return [exitCode, stdout === '' ? stderr : stdout]
    }
    expect(await retry('evt_aa', '#2', '--account', 'acme')).toEqual([0, 'evt_aa11\nevt_ab22\n'])
    expect(await retry('evt_a')).toEqual([2, expect.stringMatching(/names several events/)])
    expect(await retry('evt_b')).toEqual([1, expect.stringMatching(/no delivery or event of that ID/)])
  })
})
