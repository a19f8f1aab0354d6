import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { compileFilter } from '../../src/route/filter/compile-filter.ts'
import { runs } from '../support/runs.ts'
import { payload } from './samples.ts'

describe('whatever it is given', () => {
  const words =
    'data . x type == < && || ! ( ) [ ] "a" 1 2.5 null ? : in has( .exists(e, .matches( cel .map(e, timestamp( , { } - //'
  const fragment = fc.constantFrom(...words.split(' '), ' ', '\n')
  const expression = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join('')),
  )

  it('compiles or says what is wrong inside the expression, and judges every payload', () => {
    fc.assert(
      fc.property(
        expression,
        fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 })),
        (text, data) => {
          const compiled = compileFilter(text)
          if (compiled.kind === 'problem') {
            expect(compiled.offset).toBeLessThanOrEqual(text.length)
            expect(compiled.message).not.toBe('')
            return
          }
          const json: JsonObject = JSON.parse(JSON.stringify(data))
          expect(['match', 'no match', 'failed']).toContain(compiled.filter.judge(payload(json)).kind)
        },
      ),
      runs(34),
    )
  })
})
