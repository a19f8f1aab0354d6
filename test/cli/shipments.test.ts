import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { recordsCommand } from '../../src/cli/records.ts'
import { shipmentsCommand } from '../../src/cli/shipments.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import { batch, sampleEvent, sampleState, T, write } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

const DAY = 86_400_000
const CLOCK = new FakeClock(T + DAY)

/** Two accounts: shipments `A` and `B` of acme, `A` of beta; the arrival of acme's `A` moved by two days. */
async function stage() {
  return await ledger(async (store) => {
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    const records = [shipment('A', T), shipment('B', T), document('7')]
    await store.commit(batch({ records: records.map((state) => write(state)) }))
    await store.commit(batch({ account: 'beta', records: [write(shipment('A', T))] }))
    const moved = shipment('A', T + 2 * DAY)
    const event = sampleEvent('evt_1', {
      type: 'shipment.eta_changed',
      subject: { resource: 'shipment', id: 'A', version: 1, previousEventId: null },
      extras: {
        date_change: {
          milestone: 'arrival',
          from: arrival(T),
          to: arrival(T + 2 * DAY),
          first: { date: formatInstant(T), seen_at: formatInstant(T) },
          revision: 2,
        },
      },
    })
    const deliveries = [{ eventId: 'evt_1', subscription: 'erp' }]
    const next = { ...moved, version: 1, lastEventId: 'evt_1' }
    await store.commit(batch({ records: [write(next, { expectedVersion: 0 })], events: [event], deliveries }))
  })
}

describe('shipments list', () => {
  it('finds shipments by what they name, newest event first', async () => {
    const { cwd } = await stage()
    const all = await runCommand(shipmentsCommand, ['list'], { cwd, clock: CLOCK })
    expect(all).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'ACCOUNT  ID  NAME    STATUS  LAST EVENT',
        'acme     A   Ship A  booked  2026-11-21 08:00',
        'beta     A   Ship A  booked  –',
        'acme     B   Ship B  booked  –',
        '',
      ].join('\n'),
    })
    const found = async (...args: readonly string[]): Promise<readonly JsonObject[]> =>
      JSON.parse((await runCommand(shipmentsCommand, ['list', ...args, '--json'], { cwd, clock: CLOCK })).stdout)
    expect(await found('mscub')).toEqual([
      {
        account: 'acme',
        resource: 'shipment',
        id: 'B',
        name: 'Ship B',
        status: 'booked',
        removed: null,
        version: 0,
        last_read_at: formatInstant(T),
        last_event_at: null,
      },
    ])
    expect((await found('--account', 'beta')).map(({ account, id }) => [account, id])).toEqual([['beta', 'A']])
    expect(await found('--status', 'draft')).toEqual([])
    expect(await found('--limit', '1')).toHaveLength(1)
  })

  it('says when more follow, when there are none, and when there is no such account', async () => {
    const { cwd } = await stage()
    const run = async (...args: readonly string[]) =>
      runCommand(shipmentsCommand, ['list', ...args], { cwd, clock: CLOCK })
    expect((await run('--limit', '2')).stderr).toBe('The first 2; --limit N shows more.\n')
    expect(await run('nowhere')).toEqual({ exitCode: 0, stdout: 'No records.\n', stderr: '' })
    expect(await run('--account', 'acmee')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('acme') })
    expect(await run('--limit', '0')).toMatchObject({ exitCode: 2 })
  })
})

describe('records list --due', () => {
  it('shows the invoices that fall due, soonest first', async () => {
    const { cwd } = await ledger(async (store) => {
      const records = [invoice('I-2', '2026-11-25'), invoice('I-1', '2026-11-21'), invoice('I-3', '2027-01-01')]
      await store.commit(batch({ records: records.map((state) => write(state)) }))
    })
    const run = async (...args: readonly string[]) =>
      runCommand(recordsCommand, ['list', ...args], { cwd, clock: CLOCK })
    expect(await run('invoice', '--due', 'overdue')).toMatchObject({
      stdout: expect.stringMatching(/DUE\n.+ I-1 .+ 2026-11-21\n$/),
    })
    const { stdout } = await run('invoice', '--due', '7d', '--json')
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'I-2' }])
    expect(await run('invoice', '--due', 'soon')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('7d') })
    expect(await run('shipment', '--due', 'any')).toMatchObject({ exitCode: 2 })
  })
})

describe('shipments show', () => {
  it('tells where a shipment stands, and who was told which date when', async () => {
    const { cwd } = await stage()
    const { exitCode, stdout } = await runCommand(shipmentsCommand, ['show', 'A', '--account', 'acme'], {
      cwd,
      clock: CLOCK,
    })
    expect(exitCode).toBe(0)
    expect(stdout).toBe(`shipment A  Ship A
  account     acme
  status      booked
  carrier     Line
  lane        Shanghai (CNSHA) → Rotterdam (NLRTM)
  first seen  2026-11-21T08:00:00.000Z
  last read   2026-11-21T08:00:00.000Z
  last event  2026-11-21T08:00:00.000Z, number 1

Arrival
  2026-11-21T08:00:00.000Z estimated
    seen 2026-11-21T08:00:00.000Z, not told
  2026-11-23T08:00:00.000Z estimated
    seen 2026-11-21T08:00:00.000Z, told 2026-11-21T08:00:00.000Z
    evt_1: erp pending

--verbose shows the whole record too, --json everything as one document.
`)
  })

  it('gives the same as one document', async () => {
    const { cwd } = await stage()
    const args = ['show', 'A', '--account', 'acme', '--json']
    const { stdout } = await runCommand(shipmentsCommand, args, { cwd, clock: CLOCK })
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'A',
      object: { name: 'Ship A' },
      dates: {
        pickup: [],
        arrival: [
          { date: formatInstant(T), status: 'estimated', told_at: null },
          { date: formatInstant(T + 2 * DAY), status: 'estimated', told_at: formatInstant(T) },
        ],
      },
    })
  })

  it('asks which account is meant where several have the id, and knows when none has', async () => {
    const { cwd } = await stage()
    const show = async (...args: readonly string[]) =>
      runCommand(shipmentsCommand, ['show', ...args], { cwd, clock: CLOCK })
    expect(await show('A')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'Several accounts have a shipment "A": choose one with --account (acme, beta).',
    })
    expect((await show('B')).exitCode).toBe(0)
    expect(await show('C')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'There is no shipment "C": `shipbell shipments list` finds them by a part of it.',
    })
    expect(await show('A', '--account', 'none')).toMatchObject({ exitCode: 2 })
  })
})

describe('shipments slipped', () => {
  it('lists dates that moved, the furthest first', async () => {
    const { cwd } = await stage()
    const run = async (...args: readonly string[]) =>
      runCommand(shipmentsCommand, ['slipped', ...args], { cwd, clock: CLOCK })
    expect((await run()).stdout).toBe(
      [
        'ACCOUNT  SHIPMENT  DATE     FIRST       NOW         DRIFT  VALUES',
        'acme     A         arrival  2026-11-21  2026-11-23    +2d       2',
        '',
      ].join('\n'),
    )
    expect(JSON.parse((await run('--json')).stdout)).toEqual([
      {
        account: 'acme',
        shipment: 'A',
        name: 'Ship A',
        milestone: 'arrival',
        first: formatInstant(T),
        now: formatInstant(T + 2 * DAY),
        drift_minutes: 2_880,
        revisions: 2,
      },
    ])
    expect((await run('--since', '1h')).stdout).toBe('No date moved.\n')
    expect(await run('--since', 'soon')).toMatchObject({ exitCode: 2 })
  })
})

describe('records', () => {
  it('lists and shows any resource, without what would give access', async () => {
    const { cwd } = await stage()
    const list = await runCommand(recordsCommand, ['list', 'document', 'pack'], { cwd, clock: CLOCK })
    expect(list.stdout.split('\n')[1]).toBe('acme     7   packing list.pdf  –       –')
    for (const args of [
      ['show', 'document', '7'],
      ['show', 'document', '7', '--json'],
    ]) {
      const { stdout } = await runCommand(recordsCommand, args, { cwd, clock: CLOCK })
      expect(stdout).toContain('packing list.pdf')
      expect(stdout).not.toContain('https://secret')
    }
    expect(await runCommand(recordsCommand, ['list', 'nonsense'], { cwd, clock: CLOCK })).toMatchObject({
      stderr: expect.stringContaining('Allowed choices are shipment'),
    })
  })

  it('fits 80 columns whatever the records hold, and steers no terminal', async () => {
    const hostile = '\u001b[31m\u202e船'.repeat(20)
    const { cwd } = await ledger(async (store) => {
      const seen = { name: hostile, status: hostile }
      const records = [sampleState(hostile, { seen, reported: seen }), shipment('B', T)]
      await store.commit(batch({ account: 'a'.repeat(64), records: records.map((state) => write(state)) }))
    })
    const { stdout } = await runCommand(recordsCommand, ['list', 'shipment'], { cwd, clock: CLOCK })
    for (const line of stdout.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(80)
    expect(stdout).not.toMatch(/[\p{Cc}\p{Cf}](?<!\n)/u)
    const shown = await runCommand(recordsCommand, ['show', 'shipment', hostile, '--verbose'], { cwd, clock: CLOCK })
    expect(shown.exitCode).toBe(0)
    expect(shown.stdout).not.toMatch(/[\p{Cc}\p{Cf}](?<!\n)/u)
  })
})

function arrival(at: number): JsonObject {
  return { date: formatInstant(at), status: 'estimated' }
}

function shipment(id: string, at: number): RecordState {
  const seen = {
    platform_shipment_id: id,
    name: `Ship ${id}`,
    status: 'booked',
    route: { origin_port_unlocode: 'CNSHA', destination_port_unlocode: 'NLRTM' },
    booking_information: { carrier: 'Line' },
    cargo: { containers: [{ container_number: `MSCU-${id}` }] },
    main_tracking_dates: { arrival_date: arrival(at) },
  }
  const milestones = { arrival: { first: { date: formatInstant(T), seenAt: T }, instants: [T], actualEventId: null } }
  return sampleState(id, { seen, reported: seen, memory: { milestones } })
}

function document(id: string): RecordState {
  const seen = { id, name: 'packing list.pdf', link: 'https://secret.example/1' }
  return sampleState(id, { resource: 'document', seen, reported: seen })
}

function invoice(id: string, due_date: string): RecordState {
  const seen = { reference: id, number: id, type: 'invoice', status: 'due', due_date }
  return sampleState(id, { resource: 'invoice', seen, reported: seen })
}
