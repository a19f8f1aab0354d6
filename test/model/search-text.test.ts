import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SearchTerms } from '../../src/model/search-terms.ts'
import {
  gramsOf,
  isFoundBy,
  isIdSearched,
  isInLevel,
  readSearch,
  searchDocument,
  searchLevels,
  searchReach,
} from '../../src/model/search-text.ts'

const TERMS: SearchTerms = {
  terms: ['shp852400001', 'mscu1234567', 'po77', 'bedlinentohamburg', 'hamburg', '12/b'],
  shared: ['łodz', 'hauptstraße', 'maersk', 'evergiven', 'given', 'shanghai(cnsha)', 'cnsha)', '上海港'],
}

const FOUND = [
  'SHP-8524',
  '524-000',
  'mscu 123456-7',
  'hamburg maersk',
  'Shanghai (CNSHA) → Hamburg',
  'PO',
  'po-77 ever',
  '12/b',
  '上海',
  'Maërsk',
  '“given”',
  'lodz',
  'Łódź',
  'ŁÓDZ',
  'strasse',
  'Hauptstraße',
]

const MISSED = ['hamburg cosco', '77', 'kg', 'sh 0', '%', '"', "'", '*', 'maersk NOT given', '海港', 'x'.repeat(1_000)]

describe('a text that is searched for', () => {
  test.for(FOUND)('finds by %s', (typed, { expect }) => expect(finds(typed)).toBe(true))

  test.for(MISSED)('finds nothing by %s', (typed, { expect }) => expect(finds(typed)).toBe(false))

  test.for(['', ' ', '\t\n', '\0', '\u200b', '\ud800'])('says nothing: %j', (typed, { expect }) =>
    expect(readSearch(typed)).toBeNull(),
  )

  test('names an id by its own text alone', () => {
    const text = readSearch('shp 1')
    expect(text !== null && isIdSearched(text, 'SHP-1')).toBe(true)
    expect(text !== null && isIdSearched(text, 'SHP-10')).toBe(false)
  })
})

test('what is found is in exactly one of the levels behind that of ids, whatever was typed', () => {
  const alphabet = fc.constantFrom('a', 'b', 'ß', 'ss', 'Ł', '1', ' ', '-', '"', '%', 'é', '上', '😀', '\u{e001}')
  const word = fc.string({ unit: alphabet, maxLength: 9 })
  const record = fc.record({ terms: fc.array(word), shared: fc.array(word, { maxLength: 2 }), id: word })
  fc.assert(
    fc.property(record, word, fc.nat(9), (known, other, at) => {
      const typed = at > 6 ? other : [...known.terms, ...known.shared, other].slice(at).join(' ')
      const text = readSearch(typed)
      const terms = { terms: [...known.terms, known.id].map(plain), shared: known.shared.map(plain) }
      if (text === null || !isFoundBy(text, terms)) return
      const grams = gramsOf(searchDocument({ account: 'acme', resource: 'shipment', id: known.id, ...terms }))
      const levels = searchLevels(text)
      const [ids, others] = [levels.filter((level) => level.isOfIds), levels.filter((level) => !level.isOfIds)]
      expect(others.filter((level) => isInLevel(level, grams))).toHaveLength(1)
      expect(isInLevel(searchReach(text), grams)).toBe(true)
      if (isIdSearched(text, known.id)) expect(ids.every((level) => isInLevel(level, grams))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\s\p{M}-]/gu, '')
    .toLowerCase()
}

function finds(typed: string): boolean {
  const text = readSearch(typed)
  return text !== null && isFoundBy(text, TERMS)
}
