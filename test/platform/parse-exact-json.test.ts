import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExactJson } from '../../src/platform/answer.ts'

const UNSAFE_INTEGER = /(?<![.\d])\d{16,}(?![.\deE])/

describe('parsing an answer', () => {
  test.each([
    ['[9007199254740991]', [9007199254740991]],
    ['[9007199254740992]', ['9007199254740992']],
    ['[9007199254740993,1]', ['9007199254740993', 1]],
    ['{"a": -9007199254740993}', { a: '-9007199254740993' }],
    ['[[12345678901234567890]]', [['12345678901234567890']]],
    ['[1234567890123456]', [1234567890123456]],
    ['[0.12345678901234567890]', [0.12345678901234568]],
    ['[1e400]', ['1e400']],
    ['[-1.5E+999, 1e300]', ['-1.5E+999', 1e300]],
    ['[1e21]', [1e21]],
    ['["12345678901234567890", 1]', ['12345678901234567890', 1]],
    [
      String.raw`["\\", 12345678901234567890, "\"", ", 99999999999999999999"]`,
      ['\\', '12345678901234567890', '"', ', 99999999999999999999'],
    ],
    ['{"1e999":1e999}', { '1e999': '1e999' }],
  ])('%s loses no digits', (text, value) => {
    expect(parseExactJson(text)).toEqual(value)
  })

  test('without inexact numbers is what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!UNSAFE_INTEGER.test(text))
        expect(parseExactJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('with inexact integers anywhere keeps everything else as it is', () => {
    const big = '12345678901234567890'
    fc.assert(
      fc.property(fc.json(), fc.json(), (before, after) => {
        fc.pre(!UNSAFE_INTEGER.test(before + after))
        const expected = [JSON.parse(before), big, { big }, JSON.parse(after)]
        expect(parseExactJson(`[${before},${big},{"big": ${big}},${after}]`)).toEqual(expected)
      }),
    )
  })

  test.each([
    '{12345678901234567890: 1}',
    '[012345678901234567890]',
    '[12345678901234567890',
    '[1 12345678901234567890]',
  ])('of malformed %s throws, as JSON.parse does', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  })

  test('nested 100,000 levels deep overflows no stack', () => {
    const deep = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`
    expect(parseExactJson(deep)).toHaveLength(1)
  })

  test('takes time proportional to its length', { tags: 'long' }, () => {
    const hostile = `[${String.raw`"\\\\\\\\\"",`.repeat(200_000)}${'1'.repeat(1_000_000)}]`
    expect(parseExactJson(hostile)).toHaveLength(200_001)
  })

  test('keeps a __proto__ key as plain data', () => {
    const value = parseExactJson('{"__proto__": {"polluted": 12345678901234567890}}')
    expect(Object.keys(value ?? {})).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})
