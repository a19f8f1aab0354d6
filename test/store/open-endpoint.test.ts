import { isDeepStrictEqual } from 'node:util'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { gateOf, isOpen, isSteady, succeeded } from '../../src/ledger/endpoint-state.ts'
import { FRESH_ENDPOINT } from '../ledger/rows.ts'
import { IS_OPEN, IS_SENDING, IS_STEADY } from '../../src/store/endpoints/endpoint-record.ts'

const SWITCHES = [0, 1].flatMap((configured) =>
  [0, 1].flatMap((enabled) =>
    [null, 7].flatMap((disabledAt) =>
      [null, 7].map((queuedTo) => ({
        configured,
        enabled,
        disabled_at: disabledAt,
        queued_to: queuedTo,
        recovering: 0,
      })),
    ),
  ),
)

const RECORDS = [0, 3].flatMap((failures) =>
  [null, 7].flatMap((since) =>
    [0, 9].flatMap((failingFor) =>
      [null, 7].flatMap((exhaustedSince) =>
        [null, ''].map((error) => ({
          ...FRESH_ENDPOINT,
          failures_in_row: failures,
          failing_since: since,
          failing_for: failingFor,
          exhausted_since: exhaustedSince,
          last_error: error,
          recovering: since === null ? 1 : 0,
        })),
      ),
    ),
  ),
)

test('a success at an endpoint without trouble is one instant, and statements know which it is', () => {
  const db = new Sqlite(':memory:')
  const ask = db.prepare<unknown[], { steady: number }>(`
    SELECT ${IS_STEADY} AS steady FROM (SELECT :failures_in_row AS failures_in_row, :failing_since AS failing_since,
      :failing_for AS failing_for, :exhausted_since AS exhausted_since, :last_error AS last_error)`)
  for (const endpoint of RECORDS) {
    expect(ask.get(endpoint)?.steady).toBe(isSteady(endpoint) ? 1 : 0)
    const isOneInstant = isDeepStrictEqual(succeeded(endpoint, 99), { ...endpoint, last_success_at: 99 })
    expect(isOneInstant).toBe(isSteady(endpoint))
  }
  db.close()
})

test('statements ask of endpoints what the rule says', () => {
  const db = new Sqlite(':memory:')
  const ask = db.prepare(`
    SELECT ${IS_OPEN} AS open, ${IS_SENDING} AS sends
    FROM (SELECT :configured AS configured, :enabled AS enabled, :disabled_at AS disabled_at, :queued_to AS queued_to)`)
  for (const endpoint of SWITCHES) {
    const { recovering: _, ...row } = endpoint
    const said = { open: isOpen(endpoint) ? 1 : 0, sends: gateOf(endpoint) === 'shut' ? 0 : 1 }
    expect({ ...row, said: ask.get(row) }).toEqual({ ...row, said })
  }
  db.close()
})
