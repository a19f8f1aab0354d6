import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseInstant } from '../../../src/model/instant.ts'
import { writtenDates } from '../../../src/operate/diff/written-dates.ts'

const written = fc.constantFrom(
  '2027-03-05T01:00+01',
  '20270305T000000,0Z',
  ' 2027-03-04t24:00Z ',
  '\n2026-W10-4 10:00Z',
  '2026-064T10:00\u221201:00',
  '\u00a02026-03-05 10:00Z',
  'pallets of 12 x 4',
  'say "2026-03-05T10:00Z"',
  '3T4',
)
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, written, fc.string(), fc.double(), tie('list'), tie('map')),
  list: fc.array(tie('any'), { maxLength: 4 }),
  map: fc.dictionary(fc.oneof(written, fc.string()), tie('any'), { maxKeys: 4 }),
})).any

function textsIn(json: unknown): readonly string[] {
  if (typeof json === 'string') return [json]
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(textsIn) : []
}

test('no date-time of a document is missed in its text', () => {
  fc.assert(
    fc.property(value, (document) => {
      const json = JSON.stringify({ document })
      const found = writtenDates(Buffer.from(json))
      const instants = textsIn(JSON.parse(json)).filter((text) => parseInstant(text) !== null)
      if (found !== null) expect(found).toEqual(expect.arrayContaining([...instants]))
    }),
    { numRuns: 300 },
  )
})

test('escaped characters leave it to the document itself', () => {
  expect(writtenDates(Buffer.from(JSON.stringify({ a: '2026-03-05T10:00Z\n' })))).toBe(null)
  expect(writtenDates(Buffer.from('{"a":"2026-03-05T10:00Z","b":1}'))).toEqual(['2026-03-05T10:00Z'])
})
