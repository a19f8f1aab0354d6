import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { gateOf, isOpen } from '../../src/ledger/endpoint-state.ts'
import { IS_OPEN, IS_SENDING } from '../../src/store/endpoints/open-endpoint.ts'

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
