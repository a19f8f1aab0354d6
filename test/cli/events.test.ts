import { describe, expect, it } from 'vitest'
import { eventsCommand } from '../../src/cli/events.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { standardPayload } from '../../src/model/payload.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

async function threeEvents() {
  return await ledger(async (store) => {
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(store, [sampleEvent('evt_1')], ['erp'])
    await ring(store, [sampleEvent('evt_2', { type: 'shipment.departed', timestamp: T + 1000 })], ['erp'])
    await ring(store, [sampleEvent('evt_3', { type: 'account.recovered', account: 'beta', timestamp: T + 2000 })], [])
  })
}

async function events(args: readonly string[], cwd: string) {
  return await runCommand(eventsCommand, args, { cwd, clock: new FakeClock(T + 10_000) })
}

function ids(json: string): unknown {
  const payloads: unknown = JSON.parse(json)
  return Array.isArray(payloads) ? payloads.map((each: { id: unknown }) => each.id) : payloads
}

describe('shipbell events list', () => {
  it('prints one line for each event, newest last', async () => {
    const { cwd } = await threeEvents()
    const { exitCode, stdout } = await events(['list'], cwd)
    expect(exitCode).toBe(0)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ +/).slice(0, 3).join(' ')),
    ).toEqual([
      '2026-11-21T08:00:00.000Z #1 shipment.status_changed',
      '2026-11-21T08:00:01.000Z #2 shipment.departed',
      '2026-11-21T08:00:02.000Z #1 account.recovered',
    ])
  })

  it('prints the payloads with --json', async () => {
    const { cwd, store } = await threeEvents()
    await using open = store()
    const event = await open.event('evt_1')
    const { stdout } = await events(['list', '--json'], cwd)
    expect(ids(stdout)).toEqual(['evt_1', 'evt_2', 'evt_3'])
    expect(JSON.parse(stdout)).toMatchObject([event === null ? null : { ...standardPayload(event) }, {}, {}])
  })

  it.each([
    [
      ['--type', 'shipment.*'],
      ['evt_1', 'evt_2'],
    ],
    [['--type', '*.departed'], ['evt_2']],
    [
      ['--type', '*'],
      ['evt_1', 'evt_2', 'evt_3'],
    ],
    [['--account', 'beta'], ['evt_3']],
    [
      ['--subject', 'SHP-1'],
      ['evt_1', 'evt_2', 'evt_3'],
    ],
    [['--subject', 'SHP-2'], []],
    [
      ['--since', '2026-11-21T08:00:01Z'],
      ['evt_2', 'evt_3'],
    ],
    [['--since', '8s'], ['evt_3']],
    [
      ['--limit', '2'],
      ['evt_2', 'evt_3'],
    ],
  ])('selects with %j', async (args, expected) => {
    const { cwd } = await threeEvents()
    expect(ids((await events(['list', '--json', ...args], cwd)).stdout)).toEqual(expected)
  })

  it.each([
    [['--account', 'bet'], 'knows no account "bet": did you mean beta?'],
    [['--type', 'shipment.departd'], 'names no event type'],
    [['--since', 'tomorrow'], 'is not a time'],
    [['--limit', '0'], 'is not a number of rows'],
    [['--limit', 'x'], 'is not a number of rows'],
  ])('refuses %j', async (args, sentence) => {
    const { cwd } = await threeEvents()
    expect(await events(['list', ...args], cwd)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(sentence),
    })
  })

  it('shows the newest 50 on a screen and says so, and all of them with --json', async () => {
    const { cwd } = await ledger(async (store) => {
      await ring(
        store,
        Array.from({ length: 60 }, (_, index) => sampleEvent(`evt_${index}`, { timestamp: T + index })),
        [],
      )
    })
    const screen = await events(['list'], cwd)
    expect(screen.stdout.trimEnd().split('\n')).toHaveLength(50)
    expect(screen.stderr).toBe('The newest 50; --limit N shows more.\n')
    expect(ids((await events(['list', '--json'], cwd)).stdout)).toHaveLength(60)
  })

  it('is one sentence without a store', async () => {
    const { cwd } = await ledger(async () => undefined)
    expect(await events(['list'], cwd)).toMatchObject({ exitCode: 0, stdout: 'No events.\n' })
    expect(await events(['list', '-c', 'none.yaml'], cwd)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('none.yaml'),
    })
  })
})

describe('shipbell events types', () => {
  it('lists the catalogue', async () => {
    const { stdout } = await events(['types'], '/')
    expect(stdout).toMatch(/^shipment\.departed +diff +The departure became actual\.$/m)
    expect(JSON.parse((await events(['types', '--json', '-c', 'any.yaml'], '/')).stdout)).toEqual(EVENT_CATALOGUE)
  })
})
