import { describe, expect, test } from 'vitest'
import { canonicalScalar, sameScalar, type Scalar, type ScalarKind } from '../../src/detect/compare/scalar.ts'

type Case = readonly [ScalarKind, Scalar, Scalar]

const SAME: readonly Case[] = [
  ['number', 10.5, '10.50'],
  ['number', '10', '10.0'],
  ['number', 1e3, ' 1000 '],
  ['number', '+7', '007'],
  ['number', 0.1 + 0.2, '0.3'],
  ['number', '12345678901234567890', '12345678901234567890.0'],
  ['boolean', true, 1],
  ['boolean', '1', 'TRUE'],
  ['boolean', false, ' no '],
  ['boolean', 'off', 0],
  ['date', '2026-11-26', ' 2026-11-26T00:00:00+01:00'],
  ['date', '20261126', '2026-11-26 00:00'],
  ['date', '2026-11-26T10:00:00Z', '2026-11-26T11:00:00+01:00'],
  ['plain', '2027-03-05T00:00:00Z', '20270305T010000+01'],
]

const OTHER: readonly Case[] = [
  ['number', 10.5, '10.6'],
  ['number', '12345678901234567890', '12345678901234567891'],
  ['number', 7, 'seven'],
  ['number', 0, null],
  ['number', true, 1],
  ['boolean', true, 'no'],
  ['boolean', false, null],
  ['boolean', 'maybe', 'perhaps'],
  ['boolean', 2, 1],
  ['date', '2026-11-26', '2026-11-27T00:00:00Z'],
  ['date', '2026-11-26', '2026-11-26T10:00:00Z'],
  ['date', '26/11/2026', '27/11/2026'],
  ['date', '2026-11-26', 20_261_126],
  ['plain', '10', 10],
  ['plain', 'yes', 'YES'],
  ['plain', '2026-11-26', '2026-11-26T00:00:00Z'],
]

describe('two values (guarantee D2)', () => {
  test.each(SAME)('of kind %s are the same: %j, %j', (kind, one, other) => {
    expect([sameScalar(kind, one, other), sameScalar(kind, other, one)]).toEqual([true, true])
    expect(canonicalScalar(kind, one)).toBe(canonicalScalar(kind, other))
  })

  test.each(OTHER)('of kind %s differ: %j, %j', (kind, one, other) => {
    expect([sameScalar(kind, one, other), sameScalar(kind, other, one)]).toEqual([false, false])
    expect(canonicalScalar(kind, one)).not.toBe(canonicalScalar(kind, other))
  })
})
