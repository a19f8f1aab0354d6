import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { deliveriesCommand } from '../../src/cli/deliveries.ts'
import { attempt, batch, ring, sampleEvent, success, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { countingReceiver } from './counting-receiver.ts'
import { CONFIGURATION, ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'
import { deliveriesOf } from '../support/log-rows.ts'

const SINCE = ['--subscription', 'erp', '--since', '2026-11-21T08:00:00Z', '--missing']

/**
 * A log of events of which `erp`, which hears shipments of acme, has got evt_2, was refused evt_3, and has no row for the rest
 * of what it hears: evt_1 and evt_6.
 */
async function backfillable(status = 200) {
  const { received, port } = await countingReceiver(status)
  const { cwd, store } = await ledger(async (filled) => {
    await filled.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    await ring(filled, [sampleEvent('evt_0', { timestamp: T - 1 }), sampleEvent('evt_1')], [])
    await ring(filled, [sampleEvent('evt_2'), sampleEvent('evt_3')], ['erp'])
    const other = { events: [sampleEvent('evt_4', { account: 'other' })] }
    await filled.commit(batch({ account: 'other', ...other }))
    await ring(filled, [sampleEvent('evt_5', { type: 'invoice.created' }), sampleEvent('evt_6')], ['ops'])
    const claimed = await filled.claim({ owner: 'me', now: T, leaseMs: 1_000, slots: new Map([['erp', 2]]) })
    const [delivered = '', refused = ''] = claimed.map(({ id }) => id)
    await filled.settle('me', [
      { id: delivered, attempt: success(), result: { kind: 'delivered' } },
      { id: refused, attempt: attempt(), result: { kind: 'exhausted' } },
    ])
  })
  const erp = `url: "http://127.0.0.1:${port}/hooks"`
  const text = CONFIGURATION.replace('url: "http://127.0.0.1:1/hooks"', erp).replace(
    'events: ["*"]',
    'events: ["shipment.*"], accounts: [acme]',
  )
  writeFileSync(path.join(cwd, 'shipbell.yaml'), text)
  const retry = async (...args: readonly string[]) =>
    await runCommand(deliveriesCommand, ['retry', ...args], {
      cwd,
      env: { KEY: 'key' },
      clock: new FakeClock(T + 3_600_000),
    })
  return { cwd, store, received, retry }
}

function eventIds(json: string): readonly string[] {
  const rows: { readonly event_id: string }[] = JSON.parse(json)
  return rows.map(({ event_id }) => event_id)
}

describe('shipbell deliveries retry --missing', () => {
  it('sends what the subscription hears and has not got, in event order, and nothing else', async () => {
    const { received, retry } = await backfillable()
    const { exitCode, stdout } = await retry(...SINCE, '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([
      { event_id: 'evt_1', state: 'delivered' },
      { event_id: 'evt_3', state: 'delivered' },
      { event_id: 'evt_6', state: 'delivered' },
    ])
    expect(received.toSorted()).toEqual(['evt_1', 'evt_3', 'evt_6'])
  })

  it('makes each row once: a second time finds nothing to do', async () => {
    const { received, retry } = await backfillable()
    await retry(...SINCE)
    expect(await retry(...SINCE)).toEqual({ exitCode: 0, stdout: 'Nothing to retry.\n', stderr: '' })
    expect(received).toHaveLength(3)
  })

  it('says with --dry-run exactly what it would send, and changes nothing', async () => {
    const { store, received, retry } = await backfillable()
    const { exitCode, stdout } = await retry(...SINCE, '--dry-run', '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([
      { id: null, event_id: 'evt_1', subscription: 'erp', state: null, attempts: 0 },
      { id: expect.stringMatching(/^dlv_/), event_id: 'evt_3', state: 'exhausted', attempts: 1 },
      { id: null, event_id: 'evt_6', state: null },
    ])
    expect((await retry(...SINCE, '--dry-run')).stdout).toMatch(/^Would send 3, 2 of them events without a row:\n/)
    await using open = store()
    expect(await deliveriesOf(open, { subscription: 'erp', limit: 9 })).toHaveLength(2)
    expect(received).toEqual([])
    expect(eventIds((await retry(...SINCE, '--json')).stdout)).toEqual(eventIds(stdout))
  })

  it('says how many events cannot be sent because their payloads have expired', async () => {
    const { store, received, retry } = await backfillable()
    await using open = store()
    await open.expirePayloads({ before: T, now: T, after: null, limit: 99 })
    const sentence = '1 event cannot be sent: its payload has expired (retention.payloads).\n'
    expect(await retry(...SINCE, '--dry-run')).toMatchObject({ exitCode: 0, stderr: sentence })
    expect(await retry(...SINCE)).toMatchObject({ exitCode: 1, stderr: sentence })
    expect(received.toSorted()).toEqual(['evt_3', 'evt_6'])
  })

  it('exits 1 where the receiver refuses', async () => {
    const { retry } = await backfillable(503)
    const { exitCode, stdout } = await retry(...SINCE, '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'pending' }, { state: 'pending' }, { state: 'pending' }])
  })

  it('leaves tests alone', async () => {
    const { store, retry } = await backfillable()
    await using open = store()
    await ring(open, [sampleEvent('evt_test', { type: 'shipbell.test', account: null, cause: 'test' })], ['erp'])
    const { stdout } = await retry(...SINCE, '--dry-run', '--json')
    expect(eventIds(stdout)).not.toContain('evt_test')
  })
})
