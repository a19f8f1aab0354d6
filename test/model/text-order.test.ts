import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTexts } from '../../src/model/text-order.ts'

const text = fc.string({ unit: fc.constantFrom('', 'a', 'b', 'é', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}') })

test('texts are compared as their bytes are', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const bytes = Buffer.compare(Buffer.from(one), Buffer.from(other))
      expect(Math.sign(compareTexts(one, other))).toBe(bytes)
    }),
  )
})
