import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { indentJson } from '../../src/cli/api.ts'

test('is what JSON.stringify would print', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, 4), (text, spaces) => {
      const document: unknown = JSON.parse(text)
      expect(indentJson(JSON.stringify(document, null, spaces))).toBe(JSON.stringify(document, null, 2))
    }),
  )
})

test('but for numbers and texts, which stay as they were sent', () => {
  expect(indentJson('{"n":[12345678901234567890,1.10,-0,1e400],"t":"\\u00e9 { \\" }"}')).toBe(
    '{\n  "n": [\n    12345678901234567890,\n    1.10,\n    -0,\n    1e400\n  ],\n  "t": "\\u00e9 { \\" }"\n}',
  )
})
