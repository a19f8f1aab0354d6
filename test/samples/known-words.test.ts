import { expect, it } from 'vitest'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import type { Json } from '../../src/model/json.ts'
import { KNOWN_WORDS } from '../../src/samples/known-words.ts'
import { samplePayload } from '../../src/samples/sample-payload.ts'

/** Every text under a name, however deep. */
function textsIn(value: Json, name = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[name, value]]
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value)
    ? value.flatMap((item: Json) => textsIn(item, name))
    : Object.entries(value).flatMap(([key, child]: [string, Json]) => textsIn(child, key))
}

const TEXTS = EVENT_CATALOGUE.flatMap(({ type }) => textsIn(samplePayload(type)))

it('every list of words is met in a sample: otherwise nothing would be compared with it', () => {
  const unmet = Object.entries(KNOWN_WORDS).flatMap(([name, lists]) =>
    lists.filter((words) => !TEXTS.some(([key, text]) => key === name && words.includes(text))).map(() => name),
  )
  expect(unmet).toEqual([])
})

it('no two lists of one name share a word: the samples tell which one is meant', () => {
  const shared = Object.entries(KNOWN_WORDS).flatMap(([name, lists]) => {
    const words = lists.flat()
    return words.filter((word, index) => words.indexOf(word) !== index).map((word) => `${name}: ${word}`)
  })
  expect(shared).toEqual([])
})
