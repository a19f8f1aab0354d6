import { array, assert, boolean, constantFrom, nat, oneof, property, record } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { EndpointFacts, EndpointHealth } from '../../src/model/endpoint.ts'
import { isGivenUp, nextNotice } from '../../src/plan/circuit.ts'
import { FailingEndpoint } from './failing-endpoint.ts'
import { NEVER_TRIED } from '../support/never-tried.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const T = Date.UTC(2026, 10, 21, 8)

const WELL: EndpointFacts = { ...NEVER_TRIED, lastSuccessAt: T }
const FAILING = { failuresInARow: 4, failingSince: T, lastFailureAt: T, lastError: 'it answered 500' }
const EXHAUSTED = { ...FAILING, exhaustedSince: T }
const GONE = { reason: 'it answered 410 Gone', at: T, by: 'gone' } as const
const RECOVERED = { lastFailureAt: T }

function emitted(state: EndpointHealth['state'], recoveredAt: number | null = null): EndpointHealth {
  return { state, downSince: state === 'ok' ? null : T, recoveredAt }
}

describe('what is told next', () => {
  it.each<
    [string, { emitted?: EndpointHealth; facts: Partial<EndpointFacts>; after?: number; expected: string | null }]
  >([
    ['nothing of an endpoint that is well', { facts: {}, expected: null }],
    ['nothing of the third failure', { facts: { ...FAILING, failuresInARow: 3 }, expected: null }],
    ['the fourth failure', { facts: FAILING, expected: 'failing' }],
    ['that only once', { emitted: emitted('failing'), facts: { ...FAILING, failuresInARow: 9_999 }, expected: null }],
    ['a last retry', { emitted: emitted('failing'), facts: EXHAUSTED, expected: 'exhausted' }],
    ['a last retry that is the first failure', { facts: { ...EXHAUSTED, failuresInARow: 1 }, expected: 'exhausted' }],
    [
      'nothing of one that fails less while it flaps',
      { emitted: emitted('exhausted'), facts: FAILING, expected: null },
    ],
    ['that only once, too', { emitted: emitted('exhausted'), facts: EXHAUSTED, expected: null }],
    ['a 410 out of the blue', { facts: { ...FAILING, failuresInARow: 1, disabled: GONE }, expected: 'disabled' }],
    ['a 410 of one that is exhausted', { facts: { ...EXHAUSTED, disabled: GONE }, expected: 'disabled' }],
    ['nothing of a command', { facts: { disabled: { ...GONE, by: 'command' } }, expected: null }],
    [
      'nothing of a command that disables a failing one',
      { emitted: emitted('failing'), facts: { ...FAILING, disabled: { ...GONE, by: 'command' } }, expected: null },
    ],
    ['the first success after it', { emitted: emitted('failing'), facts: RECOVERED, expected: 'ok' }],
    ['the first success after everything', { emitted: emitted('disabled'), facts: RECOVERED, expected: 'ok' }],
    [
      'nothing of being enabled',
      { emitted: emitted('disabled'), facts: { lastError: 'it answered 410' }, expected: null },
    ],
    ['what fails anew once it is enabled', { emitted: emitted('disabled'), facts: FAILING, expected: 'failing' }],
    ['nothing of a recovery that nobody misses', { emitted: emitted('ok', T), facts: RECOVERED, expected: null }],
    [
      'no second recovery within an hour of a failure',
      { emitted: emitted('failing', T), facts: { lastFailureAt: T + HOUR }, after: 2 * HOUR - 1, expected: null },
    ],
    [
      'a second recovery after an hour without a failure',
      { emitted: emitted('failing', T), facts: { lastFailureAt: T + HOUR }, after: 2 * HOUR, expected: 'ok' },
    ],
    [
      'a second recovery at once on another day',
      { emitted: emitted('failing', T), facts: { lastFailureAt: T + DAY }, after: DAY, expected: 'ok' },
    ],
    [
      'a second recovery at once where the clock was ahead at the first',
      { emitted: emitted('failing', T), facts: { lastFailureAt: T }, after: -DAY, expected: 'ok' },
    ],
    [
      'a second recovery at once where the clock was ahead at the failure',
      { emitted: emitted('failing', T), facts: { lastFailureAt: T + 9 * DAY }, after: HOUR, expected: 'ok' },
    ],
  ])('%s', (_, { emitted: known = null, facts, after = 0, expected }) => {
    expect(nextNotice(known, { ...WELL, ...facts }, T + after)).toBe(expected)
  })
})

describe('an endpoint is given up', () => {
  it.each<[string, Partial<EndpointFacts>, boolean]>([
    ['after 5 days in which it failed', {}, true],
    ['not before', { failingForMs: 5 * DAY - 1 }, false],
    ['not for a few failures', { failuresInARow: 9 }, false],
    ['not for a burst of failures', { failuresInARow: 10_000, failingForMs: HOUR }, false],
    ['not for failures that are far apart', { failingForMs: DAY, lastFailureAt: T + 9 * DAY }, false],
    ['not twice', { disabled: GONE }, false],
    ['not where a command disabled it', { disabled: { ...GONE, by: 'command' } }, false],
  ])('%s', (_, facts, expected) => {
    expect(isGivenUp({ ...WELL, ...FAILING, failuresInARow: 10, failingForMs: 5 * DAY, ...facts })).toBe(expected)
  })
})

const outcome = record({
  afterMs: oneof(nat({ max: 60_000 }), nat({ max: DAY })),
  kind: constantFrom('failed', 'failed', 'exhausted', 'delivered', 'gone', 'unseen'),
} as const)

test('10,000 failures and the recovery are told in four notices at most, wherever people look', () => {
  assert(
    property(array(outcome, { maxLength: 60 }), nat({ max: HOUR }), (some, everyMs) => {
      const endpoint = new FailingEndpoint()
      for (const { kind, afterMs } of some) endpoint.take(kind === 'delivered' ? 'failed' : kind, afterMs)
      for (let n = some.length; n < 10_000; n += 1) endpoint.take(n % 13 === 12 ? 'exhausted' : 'failed', everyMs)
      endpoint.enable()
      endpoint.take('delivered', everyMs)
      endpoint.take('delivered', everyMs)
      expect(endpoint.emitted.length).toBeLessThanOrEqual(4)
      expect(endpoint.emitted.at(-1)).toBe('ok')
    }),
    { numRuns: 50 },
  )
})

test('an endpoint that flaps without an hour of rest is no storm of notices', () => {
  assert(
    property(array(outcome, { minLength: 20, maxLength: 200 }), (outcomes) => {
      const endpoint = new FailingEndpoint()
      for (let n = 0; n < 10_000; n += 1) {
        const { kind, afterMs } = outcomes[n % outcomes.length] ?? { kind: 'failed', afterMs: 0 }
        endpoint.take(kind === 'gone' ? 'failed' : kind, afterMs % 8_000)
      }
      // Within a day: at worst failing, exhausted, recovered, and both again.
      expect(endpoint.emitted.length).toBeLessThanOrEqual(5)
    }),
    { numRuns: 100 },
  )
})

test('whatever happens, notices alternate as states do, and the last one is true after an hour of rest', () => {
  assert(
    property(array(outcome), boolean(), (outcomes, enabled) => {
      const endpoint = new FailingEndpoint()
      for (const { kind, afterMs } of outcomes) {
        endpoint.take(kind, afterMs)
        if (enabled && kind === 'gone') endpoint.enable()
      }
      endpoint.enable()
      endpoint.take('delivered', HOUR)
      endpoint.look()
      for (const [index, state] of endpoint.emitted.entries())
        expect(state).not.toBe(endpoint.emitted[index - 1] ?? 'ok')
      if (endpoint.emitted.length > 0) expect(endpoint.emitted.at(-1)).toBe('ok')
    }),
  )
})
