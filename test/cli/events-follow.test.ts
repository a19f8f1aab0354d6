import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eventsCommand } from '../../src/cli/events.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ledger } from './ledger.ts'
import { commandContext } from '../support/command-context.ts'

/** Follows the log while `work` runs, then interrupts; resolves to the lines that were printed. */
async function follow(args: readonly string[], work: (store: Store, clock: FakeClock) => Promise<void>) {
  const { cwd, store: open } = await ledger(async (store) => {
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(store, [sampleEvent('evt_1')], [])
  })
  const clock = new FakeClock(T + 1_000)
  const stop = new AbortController()
  let written = ''
  let exitCode = 0
  const context = commandContext({
    stdout: {
      write: (text) => {
        written += text
      },
    },
    cwd,
    clock,
    signal: stop.signal,
    setExitCode: (code) => {
      exitCode = code
    },
  })
  const following = eventsCommand(context).parseAsync(['list', '--follow', ...args], { from: 'user' })
  while (clock.nextWakeAt === null) await nextTurn()
  await using store = open()
  await work(store, clock)
  stop.abort()
  await following
  expect(exitCode).toBe(0)
  return written.split('\n').filter((line) => line !== '')
}

async function look(clock: FakeClock): Promise<void> {
  await clock.advance(1_000)
}

it('shows what rings, by whatever process, until it is interrupted', async () => {
  const lines = await follow(['--json', 'id'], async (store, clock) => {
    await ring(store, [sampleEvent('evt_2', { timestamp: T + 2 })], [])
    await look(clock)
    await ring(store, [sampleEvent('evt_3', { timestamp: T + 3 })], [])
    await look(clock)
  })
  expect(lines).toEqual(['{"id":"evt_2"}', '{"id":"evt_3"}'])
})

it('shows what is asked for of the past first, and nothing twice', async () => {
  const lines = await follow(['--limit', '9', '--template', '{{ id }}'], async (store, clock) => {
    await ring(store, [sampleEvent('evt_2', { timestamp: T + 2 })], [])
    await look(clock)
  })
  expect(lines).toEqual(['evt_1', 'evt_2'])
})

it('shows only what the filters ask for', async () => {
  const lines = await follow(['--type', '*.departed', '--template', '{{ id }}'], async (store, clock) => {
    await ring(store, [sampleEvent('evt_2'), sampleEvent('evt_3', { type: 'shipment.departed' })], [])
    await look(clock)
  })
  expect(lines).toEqual(['evt_3'])
})
