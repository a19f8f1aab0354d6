import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { markedParts, searchMatches } from '../../src/model/search-matches.ts'
import { readSearch } from '../../src/model/search-text.ts'
import type { SearchedText } from '../../src/model/searched-texts.ts'

const TEXTS: readonly SearchedText[] = [
  { field: 'id', text: 'SHP-8524' },
  { field: 'name', text: 'Châlons: bed linen to Hamburg' },
  { field: 'container', text: 'MSCU 123456-7' },
  { field: 'vessel', text: 'Ever Given' },
  { field: 'origin_port', text: 'Shanghai (CNSHA)' },
  { field: 'destination_port', text: 'Łódź, Hauptstraße 5' },
]

const CASES = [
  ['shanghai ham', ['origin_port: [Shanghai] (CNSHA)', 'name: Châlons: bed linen to [Ham]burg']],
  ['cnsha', ['origin_port: Shanghai ([CNSHA])']],
  ['234567', ['container: MSCU 1[23456-7]']],
  ['chalons bed', ['name: [Châlons]: [bed] linen to Hamburg']],
  ['li', ['name: Châlons: bed [li]nen to Hamburg']],
  ['shp 8', ['id: [SHP-8]524']],
  ['lodz strasse', ['destination_port: [Łódź], Haupt[straße] 5']],
  ['ever given', ['vessel: [Ever Given]']],
] as const

test.for(CASES)('%s is marked in the texts that it finds', ([typed, expected], { expect }) => {
  const search = readSearch(typed)
  const shown =
    search &&
    searchMatches(search, TEXTS).map(({ field, text }) => {
      const parts = markedParts(search, text).map((part) => (part.isMarked ? `[${part.text}]` : part.text))
      return `${field}: ${parts.join('')}`
    })
  expect(shown).toEqual(expected)
})

test('the parts of a text are the text, whatever is in it', () => {
  const unit = fc.constantFrom('a', 'B', '-', ' ', 'é', 'e\u0301', 'ﬁ', 'İ', '上', '😀', '\u202e', '<', '\0')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), fc.string({ unit, minLength: 1, maxLength: 5 }), (text, typed) => {
      const search = readSearch(typed)
      if (search === null) return
      const parts = markedParts(search, text)
      expect(parts.map((part) => part.text).join('')).toBe(text)
    }),
  )
})
