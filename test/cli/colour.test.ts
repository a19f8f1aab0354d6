import { describe, expect, it } from 'vitest'
import { eventsCommand } from '../../src/cli/events.ts'
import { statusCommand } from '../../src/cli/status.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

const COLOUR = '\u001B['

describe('colours', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, false],
  ])('on a terminal: %s, with %j: %s', async (isTTY, env, coloured) => {
    const { cwd } = await ledger(async () => undefined)
    const { stdout } = await runCommand(statusCommand, [], { cwd, isTTY, env })
    expect(stdout.includes(COLOUR)).toBe(coloured)
  })

  it('show the tone of an event', async () => {
    const date_change = { milestone: 'arrival', shift_minutes: 600 }
    const late = sampleEvent('evt_1', { type: 'shipment.eta_changed', extras: { date_change } })
    const { cwd } = await ledger(async (store) => ring(store, [late], []))
    const { stdout } = await runCommand(eventsCommand, ['list'], { cwd, isTTY: true })
    expect(stdout).toContain('\u001B[33mshipment.eta_changed\u001B[39m')
  })
})
