import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  disabled,
  enabledAnew,
  type EndpointRecord,
  exhausted,
  failed,
  gateOf,
  isOpen,
  succeeded,
} from '../../src/ledger/endpoint-state.ts'
import { FAILING_FROM } from '../../src/model/endpoint.ts'
import { runs } from '../support/runs.ts'
import { FRESH_ENDPOINT } from './rows.ts'

const T = 1_000_000
const HOUR = 3_600_000

const at = (since: number, error: string | null = 'refused') => ({
  at: T + since,
  steadyAt: T + since,
  error,
  longestGapMs: HOUR,
})

describe('the switches of an endpoint', () => {
  test.each([
    ['configured and enabled', {}, true],
    ['missing from the file', { configured: 0 }, false],
    ['disabled in the file', { enabled: 0 }, false],
    ['disabled by anything else', { disabled_at: T }, false],
  ])('%s', (_, switches, open) => {
    expect(isOpen({ ...FRESH_ENDPOINT, ...switches })).toBe(open)
  })

  test.each([
    ['open', {}, 'open'],
    ['open and recovering', { recovering: 1 }, 'recovering'],
    ['open, but turns are given out', { queued_to: 0, recovering: 1 }, 'shut'],
    ['disabled', { disabled_at: T, recovering: 1 }, 'shut'],
  ] as const)('the gate of one that is %s', (_, changes, gate) => {
    expect(gateOf({ ...FRESH_ENDPOINT, ...changes })).toBe(gate)
  })

  test('the first reason stays', () => {
    const first = disabled(FRESH_ENDPOINT, { at: T, by: 'gone', reason: '410' })
    expect(disabled(first, { at: T + 1, by: 'command', reason: 'maintenance' })).toBe(first)
    expect(first).toMatchObject({ disabled_at: T, disabled_by: 'gone', disabled_reason: '410' })
  })
})

describe('the record of an endpoint', () => {
  test('counts the time between failures, each gap up to the longest step', () => {
    const afterThree = [at(0), at(1_000), at(1_000 + 2 * HOUR)].reduce<EndpointRecord>(failed, FRESH_ENDPOINT)
    expect(afterThree).toMatchObject({
      failures_in_row: 3,
      failing_since: T,
      failing_for: 1_000 + HOUR,
      failed_at: T + 1_000 + 2 * HOUR,
      last_failure_at: T + 1_000 + 2 * HOUR,
      last_error: 'refused',
    })
  })

  test('knows no gap to a failure that began before the one that ended first', () => {
    const late = failed(failed(FRESH_ENDPOINT, at(500)), at(200, null))
    expect(late).toMatchObject({ failing_since: T + 200, failing_for: 0, failed_at: T + 500, last_error: '' })
    expect(late.last_failure_at).toBe(T + 500)
  })

  test('recovers by a success after so many failures, and no longer once as many follow', () => {
    const failures = Array.from({ length: FAILING_FROM }, (_, nth) => at(nth))
    const once = succeeded(failures.slice(1).reduce<EndpointRecord>(failed, FRESH_ENDPOINT), T + 9)
    expect(once.recovering).toBe(0)
    const recovers = succeeded(failures.reduce<EndpointRecord>(failed, FRESH_ENDPOINT), T + 9)
    expect(recovers).toMatchObject({ recovering: 1, failures_in_row: 0, failing_since: null, last_success_at: T + 9 })
    expect(failures.slice(1).reduce<EndpointRecord>(failed, recovers).recovering).toBe(1)
    expect(failures.reduce<EndpointRecord>(failed, recovers).recovering).toBe(0)
  })

  test('keeps when a last retry first failed, until it answers', () => {
    const worn = exhausted(exhausted(FRESH_ENDPOINT, T), T + 5)
    expect(worn.exhausted_since).toBe(T)
    expect(succeeded(worn, T + 9).exhausted_since).toBeNull()
  })

  test.each([
    ['was disabled: its rows were held', { disabled_at: T, failures_in_row: 9 }, 0],
    ['was failing', { failures_in_row: FAILING_FROM }, 1],
    ['was recovering', { recovering: 1 }, 1],
    ['was well', { failures_in_row: FAILING_FROM - 1 }, 0],
  ])('enabled anew, one that %s', (_, changes, recovering) => {
    const endpoint = enabledAnew({ ...FRESH_ENDPOINT, ...changes })
    expect(endpoint).toMatchObject({ recovering, failures_in_row: 0, failing_since: null, disabled_at: null })
  })

  test('whatever comes, it fails for no longer than since its first failure, and a success ends that', () => {
    const attempts = fc.array(fc.record({ gap: fc.nat(3 * HOUR), fails: fc.boolean() }), { maxLength: 12 })
    fc.assert(
      fc.property(attempts, (made) => {
        let endpoint: EndpointRecord = FRESH_ENDPOINT
        let now = 0
        let inRow = 0
        let hadTrouble = false
        for (const { fails, gap } of made) {
          now += gap
          inRow = fails ? inRow + 1 : 0
          hadTrouble ||= inRow >= FAILING_FROM
          endpoint = fails ? failed(endpoint, at(now)) : succeeded(endpoint, T + now)
          expect(endpoint.failures_in_row).toBe(inRow)
          expect(endpoint.failing_since === null).toBe(inRow === 0)
          expect(endpoint.failing_for).toBeLessThanOrEqual(T + now - (endpoint.failing_since ?? T + now))
          if (endpoint.recovering === 1) expect(hadTrouble).toBe(true)
          if (inRow >= FAILING_FROM) expect(endpoint.recovering).toBe(0)
        }
      }),
      runs(100),
    )
  })
})
