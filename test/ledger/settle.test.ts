import Sqlite from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FORWARD_AGAIN_MS,
  lastWaitBegan,
  type SendingEndpoint,
  type SendingRow,
  settle,
} from '../../src/ledger/settle.ts'
import type { AttemptResult } from '../../src/model/attempt-result.ts'
import { DELIVERY_STATES } from '../../src/model/delivery.ts'
import { SUCCEEDED } from '../../src/store/endpoints/endpoint-record.sqlite.ts'
import { type EndpointRecord, succeeded } from '../../src/ledger/endpoint-state.ts'
import { DELIVERED } from '../../src/store/deliveries/settle-deliveries.sqlite.ts'
import { runs } from '../support/runs.ts'
import { FRESH_ENDPOINT, freshRow } from './rows.ts'

const T = 1_000_000
const AHEAD = 5_000
const TOOK = 40
const ENDED = T + TOOK
const STEADY_END = ENDED + AHEAD
const LATER = T + 600_000

const made = { at: T, durationMs: TOOK, status: 503, error: 'Answered 503.', answer: null }
const retry = { kind: 'retry', at: LATER } as const

interface Case {
  readonly row?: Partial<SendingRow>
  readonly endpoint?: Partial<SendingEndpoint>
  readonly attempt?: AttemptResult['attempt']
  readonly result: AttemptResult['result']
}

function settled({ attempt = made, endpoint, result, row }: Case) {
  return settle({
    row: { ...freshRow(T), ...row },
    endpoint: { ...FRESH_ENDPOINT, ...endpoint },
    attemptResult: { id: 'dlv_1', attempt, result },
    aheadMs: AHEAD,
  })
}

const ENDS = { next_attempt_at: null, wake_at: null, finished_at: ENDED }
const HELD = { state: 'held', next_attempt_at: null, wake_at: null, finished_at: null } as const
const DUE = { state: 'pending', next_attempt_at: LATER - AHEAD, wake_at: LATER, finished_at: null } as const

describe('where a row goes', () => {
  const cases: readonly (readonly [string, Case, Partial<SendingRow>])[] = [
    ['delivered', { result: { kind: 'delivered' } }, { ...ENDS, state: 'delivered', attempts: 1, round: 1 }],
    [
      'delivered, though discarded meanwhile',
      { row: { state: 'discarded', finished_at: T }, result: { kind: 'delivered' } },
      { ...ENDS, state: 'delivered' },
    ],
    [
      'delivered, though its endpoint was disabled',
      { endpoint: { disabled_at: T }, result: { kind: 'delivered' } },
      { ...ENDS, state: 'delivered' },
    ],
    [
      'failed, and is tried again',
      { result: retry },
      { ...DUE, attempts: 1, round: 1, last_status: 503, last_error: 'Answered 503.' },
    ],
    ['failed for the last time', { result: { kind: 'exhausted' } }, { ...ENDS, state: 'exhausted' }],
    [
      'put off without an attempt',
      { attempt: null, row: { attempts: 3, round: 2, last_status: 500 }, result: retry },
      { ...DUE, attempts: 3, round: 2, last_status: 500 },
    ],
    [
      'cut',
      { attempt: null, result: { kind: 'released' } },
      { state: 'pending', next_attempt_at: T, wake_at: null, attempts: 0 },
    ],
    [
      'failed, held meanwhile',
      { row: { state: 'held', next_attempt_at: null }, result: retry },
      { ...HELD, attempts: 1 },
    ],
    [
      'failed, discarded meanwhile',
      { row: { state: 'discarded', next_attempt_at: null, finished_at: T }, result: retry },
      { ...HELD, state: 'discarded', finished_at: T },
    ],
    ['failed, and its endpoint is not open any more', { endpoint: { enabled: 0 }, result: retry }, HELD],
    [
      "failed, a test's of an endpoint that is not open",
      { row: { test: 1 }, endpoint: { enabled: 0 }, result: retry },
      DUE,
    ],
    [
      'asked for meanwhile',
      { row: { next_attempt_at: T + 1 }, result: retry },
      { state: 'pending', next_attempt_at: T + 1, wake_at: null, attempts: 1 },
    ],
    [
      'asked for meanwhile, after its last retry',
      { row: { next_attempt_at: T + 1 }, result: { kind: 'exhausted' } },
      { state: 'pending', next_attempt_at: T + 1, wake_at: null },
    ],
    ['of an endpoint that is gone', { result: { kind: 'disable', reason: '410' } }, { ...HELD, attempts: 1 }],
  ]
  test.each(cases)('%s', (_, given, row) => {
    expect(settled(given).row).toMatchObject(row)
  })

  test('a failure in its schedule ends what was brought forward', () => {
    const { row } = settled({ row: { resumes_at: T, not_before: ENDED }, result: { ...retry, notBefore: LATER } })
    expect(row).toMatchObject({ not_before: LATER, resumes_at: null })
  })

  test('a failure in its schedule does not let it be brought forward sooner', () => {
    const row = { resumes_at: T, not_before: STEADY_END + 1 }
    expect(settled({ row, result: retry }).row).toMatchObject({ not_before: STEADY_END + 1, resumes_at: LATER })
  })

  test('a failure outside the schedule leaves it there, and doubles the wait, twelve times at most', () => {
    const result = { ...retry, scheduled: false } as const
    const waits = [0, 1, 2, 12, 40].map((outside) => {
      const { row } = settled({ row: { attempts: 2 + outside, round: 2, resumes_at: LATER }, result })
      expect(row).toMatchObject({ attempts: 3 + outside, round: 2, resumes_at: LATER })
      return (row.not_before ?? 0) - STEADY_END
    })
    expect(waits).toEqual([1, 2, 4, 4096, 4096].map((times) => times * FORWARD_AGAIN_MS))
    const asked = settled({ row: { resumes_at: LATER }, result: { ...result, notBefore: 2 * LATER } })
    expect(asked.row.not_before).toBe(2 * LATER)
  })

  test('the wait of an attempt begins at its end, in steady time', () => {
    const failed = { id: 'dlv_1', attempt: made, result: retry }
    expect(lastWaitBegan([{ ...failed, result: { kind: 'delivered' } }], AHEAD)).toBeNull()
    expect(lastWaitBegan([{ ...failed, attempt: null }], AHEAD)).toBeNull()
    expect(lastWaitBegan([failed, { ...failed, endedAt: 7 }], AHEAD)).toBe(STEADY_END)
  })
})

describe('what an attempt says of its endpoint', () => {
  const attemptResult = { id: '', attempt: made, result: { kind: 'exhausted' } } as const
  const of = (changes: Partial<SendingRow>, result: Partial<AttemptResult> = {}) =>
    settle({
      row: { ...freshRow(T), ...changes },
      endpoint: FRESH_ENDPOINT,
      attemptResult: { ...attemptResult, ...result },
      aheadMs: AHEAD,
    }).endpoint

  test('that it failed, and that a last retry did', () => {
    expect(of({})).toMatchObject({ failures_in_row: 1, failing_since: T, failed_at: T + AHEAD, exhausted_since: ENDED })
  })

  test.each([
    ['a test', of({ test: 1 })],
    ['no attempt', of({}, { attempt: null, result: retry })],
    ['one that counts with another delivery', of({}, { shared: true, result: retry })],
    ['one that found nothing to send, and is the last', of({}, { unsent: true })],
  ])('nothing: %s', (_, endpoint) => {
    expect(endpoint).toBe(FRESH_ENDPOINT)
  })

  test('that it is gone', () => {
    expect(of({}, { result: { kind: 'disable', reason: '410' } })).toMatchObject({
      disabled_at: ENDED,
      disabled_by: 'gone',
      disabled_reason: '410',
      failures_in_row: 1,
    })
  })
})

const instant = fc.option(fc.integer({ min: -2, max: 2 }).map((off) => STEADY_END + off))
const anyRow: fc.Arbitrary<SendingRow> = fc.record({
  state: fc.constantFrom(...DELIVERY_STATES),
  next_attempt_at: instant,
  wake_at: instant,
  finished_at: instant,
  attempts: fc.nat(20),
  round: fc.nat(5),
  last_status: fc.option(fc.nat(599)),
  last_error: fc.option(fc.string()),
  not_before: instant,
  resumes_at: instant,
  test: fc.nat(1),
})

test('a row ends where it has to end, and no attempt goes uncounted, whatever it was', () => {
  const results = fc.constantFrom<AttemptResult['result']>(
    { kind: 'delivered' },
    retry,
    { ...retry, scheduled: false },
    { kind: 'exhausted' },
    { kind: 'released' },
    { kind: 'disable', reason: '410' },
  )
  const attempts = fc.constantFrom(made, null)
  fc.assert(
    fc.property(anyRow, fc.record({ result: results, attempt: attempts, enabled: fc.nat(1) }), (before, given) => {
      const { result, attempt, enabled } = given

      const { row } = settled({ row: before, endpoint: { enabled }, result, attempt })
      expect(row.attempts).toBe(before.attempts + (attempt === null ? 0 : 1))
      if (result.kind === 'delivered') expect(row.state).toBe('delivered')
      if (before.state !== 'pending' && result.kind !== 'delivered') expect(row.state).toBe(before.state)
      if (row.state !== 'pending') expect(row.wake_at).toBeNull()
      if (row.wake_at !== null) expect(row.next_attempt_at).toBe(row.wake_at - AHEAD)
      if (enabled === 0 && before.test === 0 && before.state === 'pending') expect(row.state).not.toBe('pending')
    }),
    runs(200),
  )
})

test('the one statement of a file for what was delivered says the same', () => {
  using db = openRows()
  const columns = Object.keys(freshRow(T))
  const insert = db.prepare(
    `INSERT INTO deliveries (ref, id, ${columns.join(', ')}) VALUES (1, 'one', ${columns.map((name) => `:${name}`).join(', ')})`,
  )
  const delivered = db.prepare(DELIVERED)
  const find = db.prepare<[], SendingRow>(`SELECT ${columns.join(', ')} FROM deliveries`)
  const success = { ...made, status: 204, error: null }
  fc.assert(
    fc.property(anyRow, (before) => {
      db.exec('DELETE FROM deliveries')
      insert.run(before)
      delivered.run(success.status, success.error, STEADY_END, ENDED, 1, 'one')
      const { row } = settled({ row: before, attempt: success, result: { kind: 'delivered' } })
      expect(find.get()).toEqual(row)
    }),
    runs(200),
  )
})

test('the one statement of a file for an endpoint that has answered says the same', () => {
  using db = openRows()
  const columns = Object.keys(FRESH_ENDPOINT)
  db.exec(`CREATE TABLE endpoints (subscription TEXT, ${columns.join(', ')})`)
  const insert = db.prepare(`INSERT INTO endpoints VALUES ('erp', ${columns.map((name) => `:${name}`).join(', ')})`)
  const write = db.prepare(SUCCEEDED)
  const find = db.prepare(`SELECT ${columns.join(', ')} FROM endpoints`)
  const anyEndpoint: fc.Arbitrary<EndpointRecord> = fc.record({
    failures_in_row: fc.nat(9),
    failing_since: instant,
    failing_for: fc.nat(9),
    failed_at: instant,
    exhausted_since: instant,
    last_failure_at: instant,
    last_success_at: instant,
    last_error: fc.option(fc.string()),
    recovering: fc.nat(1),
  })
  fc.assert(
    fc.property(anyEndpoint, (record) => {
      db.exec('DELETE FROM endpoints')
      const endpoint = { ...FRESH_ENDPOINT, ...record }
      insert.run(endpoint)
      write.run(T, 'erp')
      expect(find.get()).toEqual(succeeded(endpoint, T))
    }),
    runs(100),
  )
})

function openRows() {
  const db = new Sqlite(':memory:')
  db.exec(`
    CREATE TABLE deliveries (
      ref INTEGER PRIMARY KEY, id TEXT, state TEXT, next_attempt_at INTEGER, wake_at INTEGER, finished_at INTEGER,
      attempts INTEGER, round INTEGER, last_status INTEGER, last_error TEXT, not_before INTEGER, resumes_at INTEGER, test INTEGER
    )`)
  return Object.assign(db, { [Symbol.dispose]: () => void db.close() })
}
