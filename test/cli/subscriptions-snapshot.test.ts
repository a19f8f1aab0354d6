import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { fillKnown } from '../support/known-records.ts'
import { countingReceiver } from './counting-receiver.ts'
import { CONFIGURATION, ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

async function opened({ events = '["*"]', status = 200, start = 'live' } = {}) {
  const { payloads, port } = await countingReceiver(status)
  const { cwd, store } = await ledger(async (filled) => {
    await filled.syncSubscriptions([{ name: 'old', enabled: true }], T)
    await fillKnown(filled)
  })
  const text = CONFIGURATION.replace('api_key: "${KEY}"', 'api_key: "${KEY}", watch: { shipments: {}, invoices: {} }')
    .replace('127.0.0.1:1/hooks', `127.0.0.1:${port}/hooks`)
    .replace('events: ["*"]', `events: ${events}, start: ${start}`)
  writeFileSync(path.join(cwd, 'shipbell.yaml'), text)
  let now = T + 3_600_000
  const run = async (...args: readonly string[]) =>
    await runCommand(subscriptionsCommand, args, { cwd, env: { KEY: 'key' }, clock: new FakeClock((now += 1_000)) })
  return { payloads, run, store }
}

test('sends every known record where no daemon runs, as many as a dry run counts', async () => {
  const { payloads, run } = await opened()
  const counted = await run('snapshot', 'erp', '--dry-run', '--json')
  expect(JSON.parse(counted.stdout)).toEqual({ subscription: 'erp', rows: 6, left_out: 0 })
  const sent = await run('snapshot', 'erp')
  expect(sent).toEqual({ exitCode: 0, stdout: 'erp was sent 6 records.\n', stderr: '' })
  expect(payloads.map(({ type }) => String(type)).toSorted((one, other) => one.localeCompare(other))).toEqual([
    'credit_note.snapshot',
    ...Array.from({ length: 2 }, () => 'invoice.snapshot'),
    ...Array.from({ length: 3 }, () => 'shipment.snapshot'),
  ])
  expect(payloads.find(({ subject }) => JSON.stringify(subject).includes('SHP-3'))).toMatchObject({
    cause: 'snapshot',
    sequence: null,
    subject: { version: 4, previous_event_id: 'evt_4' },
  })
  const again = await run('snapshot', 'erp', '--resource', 'invoice', '--json')
  expect(JSON.parse(again.stdout)).toEqual({
    subscription: 'erp',
    state: 'ended',
    rows: 3,
    left_out: 0,
    undelivered: false,
  })
  expect(payloads).toHaveLength(9)
})

test('a subscription that is new starts full by itself, once', async () => {
  const { payloads, run } = await opened({ events: '["shipment.*"]', start: 'snapshot' })
  expect((await run('snapshot', 'erp')).exitCode).toBe(0)
  expect(payloads).toHaveLength(3)
})

test('exits 1 where something does not arrive, and says where it is', async () => {
  const { run } = await opened({ status: 500 })
  const { exitCode, stdout } = await run('snapshot', 'erp')
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('not all of which arrived')])
})

test('cancels what is under way, and refuses what cannot be', async () => {
  const { run, store } = await opened()
  expect((await run('snapshot', 'nobody')).exitCode).toBe(2)
  expect((await run('snapshot', 'erp', '--cancel', '--dry-run')).exitCode).toBe(2)
  {
    await using filled = store()
    await filled.syncSubscriptions([{ name: 'erp', enabled: true, start: 'snapshot' }], T + 1)
  }
  expect((await run('list')).stdout).toContain('erp is sent every known record since')
  expect((await run('snapshot', 'erp', '--cancel')).stdout).toContain('is cancelled')
  expect(await run('snapshot', 'erp', '--cancel')).toMatchObject({
    exitCode: 1,
    stderr: 'No snapshot of erp is under way.',
  })
})
