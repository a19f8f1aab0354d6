import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventsCommand } from '../../src/cli/events.ts'
import { shipmentsCommand } from '../../src/cli/shipments.ts'
import { batch, sampleEvent, sampleState, T, write } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { CONFIGURATION, ledger, type Ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

const CLOCK = new FakeClock(T + 10_000)
const ARRIVAL = { date: '2026-12-13T23:30:00+02:00', status: 'estimated' }

/** One shipment whose arrival moved; accounts are in this zone. */
async function filled(timeZone: string): Promise<Ledger> {
  const made = await ledger(async (store) => {
    const state = sampleState('A', {
      seen: { platform_shipment_id: 'A', main_tracking_dates: { arrival_date: ARRIVAL } },
    })
    const date_change = { milestone: 'arrival', from: { date: '2026-12-12T10:00:00Z' }, to: ARRIVAL }
    const subject = { resource: 'shipment', id: 'A', version: 1, previousEventId: null } as const
    const event = sampleEvent('evt_1', { type: 'shipment.eta_changed', subject, extras: { date_change } })
    const records = [write({ ...state, version: 1, lastEventId: 'evt_1' })]
    await store.commit(batch({ records, events: [event] }))
  })
  const file = CONFIGURATION.replace('api_key:', `time_zone: ${timeZone}, api_key:`)
  writeFileSync(path.join(made.cwd, 'shipbell.yaml'), file)
  return made
}

async function asked() {
  const { cwd } = await filled('Asia/Kathmandu')
  const surroundings = { cwd, clock: CLOCK }
  return {
    events: async (...args: readonly string[]) => await runCommand(eventsCommand, ['list', ...args], surroundings),
    shipments: async (...args: readonly string[]) => await runCommand(shipmentsCommand, args, surroundings),
  }
}

describe('the clock of the terminal', () => {
  test("is that of the accounts, where they agree, and --tz's before it", async () => {
    const { events } = await asked()
    const { stdout } = await events()
    expect(stdout).toContain('2026-11-21T13:45:00.000+05:45')
    expect(stdout).toContain('Mon 14 Dec 2026, 03:15 UTC+5:45')
    const west = await events('--tz', 'america/los_angeles')
    expect(west.stdout).toContain('2026-11-21T00:00:00.000-08:00')
    expect(west.stdout).toContain('Sun 13 Dec 2026, 13:30 UTC-8')
  })

  test('names its zone below times that do not say theirs', async () => {
    const { shipments } = await asked()
    const list = await shipments('list')
    expect(list.stdout).toContain('2026-11-21 13:45')
    expect(list.stderr).toBe('Times in Asia/Kathmandu.\n')
  })

  test('shows a date of a record beside what the platform wrote', async () => {
    const { shipments } = await asked()
    const { stdout } = await shipments('show', 'A', '--tz', 'Asia/Tokyo')
    expect(stdout).toContain('2026-12-14T06:30:00+09:00 (sent as 2026-12-13T23:30:00+02:00) estimated')
  })

  test('is the one that a time without an offset is meant on', async () => {
    const { events } = await asked()
    const ids = async (...args: readonly string[]) => JSON.parse((await events('--json', 'id', ...args)).stdout)
    expect(await ids('--since', '2026-11-21T13:45')).toEqual([{ id: 'evt_1' }])
    expect(await ids('--since', '2026-11-21T13:45', '--tz', 'UTC')).toEqual([])
    expect(await ids('--since', '2026-11-22', '--tz', 'Pacific/Kiritimati')).toEqual([])
  })

  test('leaves data for programs in UTC', async () => {
    const { events } = await asked()
    const { stderr, stdout } = await events('--json', '--tz', 'Asia/Tokyo')
    expect(JSON.parse(stdout)).toMatchObject([{ timestamp: '2026-11-21T08:00:00.000Z' }])
    expect(stderr).toBe('')
  })

  test.each(['Mars/Olympus', '+02:00', ''])('%j is refused', async (zone) => {
    const { events } = await asked()
    expect(await events('--tz', zone)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `--tz ${JSON.stringify(zone)} is no time zone that is known here: give an IANA name such as Europe/Paris.`,
    })
  })
})
