import { expect, test } from 'vitest'
import { type AskedRow, retry } from '../../src/ledger/settle.ts'

const T = 1_000_000
const ROW: AskedRow = { state: 'exhausted', test: 0, expired_at: null, configured: 1, enabled: 1, disabled_at: null }
const DUE = { state: 'pending', next_attempt_at: T }
const HELD = { state: 'held', next_attempt_at: null }

interface Case {
  readonly what: string
  readonly row?: Partial<AskedRow>
  readonly delivered?: true
  readonly made: object | null
}

test.each<Case>([
  { what: 'is due at once', made: DUE },
  { what: 'is held where its endpoint is shut', row: { enabled: 0 }, made: HELD },
  { what: "is due all the same, a test's", row: { enabled: 0, test: 1 }, made: DUE },
  { what: 'is left alone, delivered', row: { state: 'delivered' }, made: null },
  { what: 'is due, delivered, where those are asked for', row: { state: 'delivered' }, delivered: true, made: DUE },
  { what: 'is left alone without its payload', row: { expired_at: 1 }, delivered: true, made: null },
])('a row that a command asks for $what', ({ delivered = false, made, row = {} }) => {
  expect(retry({ ...ROW, ...row }, { at: T, delivered })).toEqual(made)
})
