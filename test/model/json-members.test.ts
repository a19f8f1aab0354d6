import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { membersOf, writtenNames } from '../../src/model/json-members.ts'

const NAMES = ['a', 'ab', '', '"', 'é', 'a\\', '\n']
const name = fc.constantFrom(...NAMES)
const object = fc.dictionary(name, fc.jsonValue({ maxDepth: 3 }))

test('members are read from the text of an object as from the object', () => {
  fc.assert(
    fc.property(object, fc.subarray(NAMES), (value, names) => {
      const json = Buffer.from(JSON.stringify(value))
      const asked = Object.entries(JSON.parse(json.toString())).filter(([key]) => names.includes(key))
      expect(membersOf(json, writtenNames(names))).toEqual(Object.fromEntries(asked))
    }),
  )
})

test.each(['[]', '"a"', '{"a" :1}', '{"a":"x" ,"b":2}'])('%s is not what JSON.stringify makes of an object', (text) => {
  expect(membersOf(Buffer.from(text), writtenNames(['b']))).toBe(null)
})
