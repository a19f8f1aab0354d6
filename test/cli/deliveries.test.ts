import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { deliveriesCommand } from '../../src/cli/deliveries.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { attempt, ring, sampleEvent, success, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { countingReceiver } from './counting-receiver.ts'
import { CONFIGURATION, ledger, type Ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

type Result = AttemptResult['result']

/** An event for each result, delivered to `erp` with it; null leaves the row pending and untried. */
async function settled(results: readonly (Result | null)[]): Promise<Ledger> {
  return await ledger(async (store) => {
    await store.syncSubscriptions(
      ['erp', 'ops'].map((name) => ({ name, enabled: true })),
      T,
    )
    for (const [index, result] of results.entries()) {
      await ring(store, [sampleEvent(`evt_${index}`, { timestamp: T + index * 1000 })], ['erp'])
      if (result !== null) await settle(store, result)
    }
  })
}

async function settle(store: Store, result: Result): Promise<void> {
  const claims = await store.claim({ owner: 'me', now: T + 60_000, leaseMs: 60_000, slots: new Map([['erp', 1]]) })
  const made = result.kind === 'delivered' ? success() : attempt()
  await store.settle(
    'me',
    claims.map(({ id }) => ({ id, attempt: made, result })),
  )
}

const DELIVERED = { kind: 'delivered' } as const
const EXHAUSTED = { kind: 'exhausted' } as const

async function deliveries(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  return await runCommand(deliveriesCommand, args, { cwd, env, clock: new FakeClock(T + 3_600_000) })
}

interface Row {
  readonly id: string
  readonly event_id: string
  readonly state: string
}

function rows(json: string): readonly Row[] {
  return JSON.parse(json)
}

describe('shipbell deliveries list', () => {
  it('prints the rows in the shape of guarantee C6 with --json, newest last', async () => {
    const { cwd } = await settled([EXHAUSTED, DELIVERED])
    const { exitCode, stdout } = await deliveries(['list', '--json'], cwd)
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual([
      {
        id: expect.stringMatching(/^dlv_/),
        event_id: 'evt_0',
        type: 'shipment.status_changed',
        account: 'acme',
        subscription: 'erp',
        state: 'exhausted',
        attempts: 1,
        next_attempt_at: null,
        last_status: 500,
        last_error: 'The receiver answered 500.',
      },
      expect.objectContaining({ event_id: 'evt_1', state: 'delivered', last_status: 200, last_error: null }),
    ])
  })

  it('prints when the next attempt is due', async () => {
    const { cwd } = await settled([{ kind: 'retry', at: T + 7_200_000 }])
    expect(JSON.parse((await deliveries(['list', '--json'], cwd)).stdout)).toEqual([
      expect.objectContaining({ state: 'pending', next_attempt_at: '2026-11-21T10:00:00.000Z' }),
    ])
  })

  it('prints a table for people', async () => {
    const { cwd } = await settled([EXHAUSTED])
    const { stdout } = await deliveries(['list'], cwd)
    expect(stdout).toMatch(
      /^ID +EVENT +TYPE +ACCOUNT +SUBSCRIPTION +STATE +ATTEMPTS +NEXT ATTEMPT +LAST OUTCOME\ndlv_\S+ +evt_0 .* exhausted +1  – +The receiver answered 500\.\n$/,
    )
  })

  it('exits 1 with --undelivered where a row is pending, held or exhausted', async () => {
    for (const results of [[null], [EXHAUSTED], [{ kind: 'disable', reason: 'gone' } as const]]) {
      const { cwd } = await settled([DELIVERED, ...results])
      const { exitCode, stdout } = await deliveries(['list', '--undelivered', '--json'], cwd)
      expect(exitCode).toBe(1)
      expect(rows(stdout).map(({ event_id }) => event_id)).toEqual(['evt_1'])
    }
  })

  it('leaves out with --undelivered what only waits for the hour of a digest', async () => {
    const { cwd } = await ledger(async (store) => {
      await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
      await ring(store, [sampleEvent('evt_1')], ['erp'])
      const slots = new Map([['erp', 1]])
      const claimed = await store.claim({ owner: 'me', now: T + 1, leaseMs: 60_000, slots })
      const putOff = { attempt: null, result: { kind: 'retry', at: T + 86_400_000 } } as const
      await store.settle(
        'me',
        claimed.map(({ id }) => ({ id, ...putOff })),
      )
    })
    const { exitCode, stdout } = await deliveries(['list', '--undelivered'], cwd)
    expect([exitCode, stdout]).toEqual([0, 'Nothing undelivered.\n'])
    expect(rows((await deliveries(['list', '--json'], cwd)).stdout)).toHaveLength(1)
  })

  it('exits 0 with --undelivered where everything arrived', async () => {
    const { cwd } = await settled([DELIVERED])
    expect(await deliveries(['list', '--undelivered'], cwd)).toEqual({
      exitCode: 0,
      stdout: 'Nothing undelivered.\n',
      stderr: '',
    })
    expect((await deliveries(['list', '--undelivered', '--json'], cwd)).stdout).toBe('[]\n')
  })

  it.each([
    [['--state', 'delivered'], ['evt_1']],
    [
      ['--subscription', 'erp'],
      ['evt_0', 'evt_1', 'evt_2'],
    ],
    [['--subscription', 'ops'], []],
    [
      ['--since', '2026-11-21T08:00:01Z'],
      ['evt_1', 'evt_2'],
    ],
    [['--limit', '1'], ['evt_2']],
  ])('selects with %j', async (args, expected) => {
    const { cwd } = await settled([EXHAUSTED, DELIVERED, null])
    expect(rows((await deliveries(['list', '--json', ...args], cwd)).stdout).map(({ event_id }) => event_id)).toEqual(
      expected,
    )
  })

  it('names the nearest subscription where one is unknown', async () => {
    const { cwd } = await settled([DELIVERED])
    expect(await deliveries(['list', '--subscription', 'epr'], cwd)).toMatchObject({
      exitCode: 2,
      stderr: 'The store knows no subscription "epr": did you mean erp?',
    })
  })

  it('needs no secret', async () => {
    const { cwd } = await settled([DELIVERED])
    expect((await deliveries(['list'], cwd, {})).exitCode).toBe(0)
  })
})

async function retrying(results: readonly (Result | null)[], status: number, order = 'none') {
  const { received, port } = await countingReceiver(status)
  const { cwd } = await settled(results)
  const text = CONFIGURATION.replace('127.0.0.1:1/hooks"', `127.0.0.1:${port}/hooks", order: ${order}`)
  writeFileSync(path.join(cwd, 'shipbell.yaml'), text)
  const all = rows((await deliveries(['list', '--json'], cwd)).stdout)
  return { cwd, received, all }
}

describe('shipbell deliveries retry', () => {
  const ENV = { KEY: 'key' }

  it('sends a delivery again by its ID, a delivered one too, under the same webhook-id', async () => {
    const { cwd, received, all } = await retrying([DELIVERED, EXHAUSTED], 200)
    const { exitCode, stdout } = await deliveries(['retry', ...all.map(({ id }) => id), '--json'], cwd, ENV)
    expect(rows(stdout).map(({ event_id, state }) => [event_id, state])).toEqual([
      ['evt_0', 'delivered'],
      ['evt_1', 'delivered'],
    ])
    expect(exitCode).toBe(0)
    expect(received.toSorted()).toEqual(['evt_0', 'evt_1'])
  })

  it('sends a row that is named twice once', async () => {
    const { cwd, received, all } = await retrying([EXHAUSTED], 200)
    const { stdout } = await deliveries(['retry', 'evt_0', all[0]?.id ?? '', '--json'], cwd, ENV)
    expect(rows(stdout)).toHaveLength(1)
    expect(received).toEqual(['evt_0'])
  })

  it('sends all rows of an event', async () => {
    const { cwd, received } = await retrying([EXHAUSTED, EXHAUSTED], 200)
    expect((await deliveries(['retry', 'evt_1'], cwd, ENV)).exitCode).toBe(0)
    expect(received).toEqual(['evt_1'])
  })

  it.each([
    ['erp is disabled in the configuration: its events are held.', 'erp', 'none, enabled: false'],
    ['erp is not in the configuration: its events are held.', 'other', 'none'],
  ])('says of what stays held: %s', async (said, name, order) => {
    const { cwd, received } = await retrying([EXHAUSTED], 200, order)
    const file = path.join(cwd, 'shipbell.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('  erp:', `  ${name}:`))
    expect(await deliveries(['retry', 'evt_0'], cwd, ENV)).toMatchObject({ exitCode: 1, stderr: `${said}\n` })
    expect(received).toEqual([])
  })

  it('exits 1 where a receiver does not take it', async () => {
    const { cwd, received } = await retrying([EXHAUSTED], 503)
    const { exitCode, stdout } = await deliveries(['retry', 'evt_0', '--json'], cwd, ENV)
    expect(exitCode).toBe(1)
    expect(rows(stdout)).toMatchObject([{ state: 'pending', last_status: 503 }])
    expect(received).toEqual(['evt_0'])
  })

  it('says which rows wait for their turn behind one that failed', async () => {
    const { cwd, received } = await retrying([EXHAUSTED, EXHAUSTED], 503, 'subject')
    const { exitCode, stderr } = await deliveries(['retry', '--subscription', 'erp', '--since', '1d'], cwd, ENV)
    expect(exitCode).toBe(1)
    expect(stderr).toBe('1 row waits for an earlier event of the same subject (order: subject).\n')
    expect(received).toEqual(['evt_0'])
  })

  it('has done its part where rows wait in a feed again', async () => {
    const { cwd } = await settled([EXHAUSTED, EXHAUSTED])
    const pulled = CONFIGURATION.replace(/erp: \{.*\}/, 'erp: { pull: { keep: 30d }, events: ["*"] }')
    writeFileSync(path.join(cwd, 'shipbell.yaml'), pulled)
    const { exitCode, stderr, stdout } = await deliveries(['retry', 'evt_0', 'evt_1', '--json'], cwd, ENV)
    expect(rows(stdout).map(({ state }) => state)).toEqual(['pending', 'pending'])
    expect([exitCode, stderr]).toEqual([0, '2 rows wait to be taken from a feed (pull).\n'])
  })

  it('sends what a subscription did not get since a time, and nothing else', async () => {
    const { cwd, received } = await retrying([EXHAUSTED, DELIVERED, EXHAUSTED], 200)
    const args = ['retry', '--subscription', 'erp', '--since', '2026-11-21T08:00:01Z']
    expect((await deliveries([...args, '--dry-run', '--json'], cwd)).stdout).toContain('"evt_2"')
    expect(received).toEqual([])
    expect((await deliveries(args, cwd, ENV)).exitCode).toBe(0)
    expect(received).toEqual(['evt_2'])
    expect(await deliveries(args, cwd, ENV)).toEqual({ exitCode: 0, stdout: 'Nothing to retry.\n', stderr: '' })
  })

  it('says what has expired, sends the rest, and never sends an empty payload', async () => {
    const { cwd, received } = await retrying([EXHAUSTED, EXHAUSTED], 200)
    await using store = openStore({ path: path.join(cwd, 'shipbell.db') })
    await store.expirePayloads({ before: T + 1_020, now: T + 2_000, after: null, limit: 1 })
    const one = await deliveries(['retry', 'evt_0', 'evt_1', '--json'], cwd, ENV)
    expect(rows(one.stdout)).toMatchObject([{ event_id: 'evt_1', state: 'delivered' }])
    expect([one.exitCode, one.stderr]).toEqual([
      1,
      '1 event cannot be sent: its payload has expired (retention.payloads).\n',
    ])
    expect(received).toEqual(['evt_1'])
    const since = ['retry', '--subscription', 'erp', '--since', '1d']
    expect(await deliveries([...since, '--dry-run'], cwd)).toMatchObject({ exitCode: 0, stdout: 'Nothing to retry.\n' })
    expect(await deliveries(since, cwd, ENV)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('expired') })
  })

  it('sums up a long list, and shows what did not arrive', { tags: 'long' }, async () => {
    const { cwd } = await retrying(
      Array.from({ length: 51 }, () => EXHAUSTED),
      503,
    )
    const { stdout } = await deliveries(['retry', '--subscription', 'erp', '--since', '1d'], cwd, ENV)
    expect(stdout).toMatch(/^51 rows: 0 delivered, 51 not\.\nID /)
    expect(stdout).toMatch(/… and 1 more; --json lists all\.\n$/)
  })

  it('changes nothing where the configuration is wrong', async () => {
    const { cwd } = await retrying([EXHAUSTED], 200)
    expect(await deliveries(['retry', 'evt_0'], cwd, {})).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('KEY is not set'),
    })
    expect(rows((await deliveries(['list', '--json'], cwd)).stdout)).toMatchObject([{ state: 'exhausted' }])
  })

  it.each([
    [[], 2, 'Name what to retry'],
    [['--subscription', 'erp'], 2, 'Name what to retry'],
    [['--since', '1h'], 2, 'Name what to retry'],
    [['evt_0', '--subscription', 'erp', '--since', '1h'], 2, 'Name what to retry'],
    [['evt_0', '--missing'], 2, 'Name what to retry'],
    [['--subscription', 'erp', '--missing'], 2, 'Name what to retry'],
    [['--subscription', 'epr', '--since', '1h', '--missing'], 2, 'has no subscription "epr": did you mean erp?'],
    [['--subscription', 'erp', '--since', 'then'], 2, 'is not a time'],
    [['--subscription', 'nobody', '--since', '1h'], 2, 'knows no subscription'],
    [['dlv_nope'], 1, 'there is no delivery or event of that ID'],
    [['evt_lonely'], 1, 'no subscription matched that event'],
  ])('%j exits %i', async (args, exitCode, sentence) => {
    const { cwd, store } = await settled([EXHAUSTED])
    await using open = store()
    await ring(open, [sampleEvent('evt_lonely')], [])
    expect(await deliveries(['retry', ...args], cwd, ENV)).toMatchObject({
      exitCode,
      stderr: expect.stringContaining(sentence),
    })
  })
})
