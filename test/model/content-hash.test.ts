import { expect, it } from 'vitest'
import { contentHashOf } from '../../src/model/content-hash.ts'

it('equal texts have equal fingerprints, other ones other fingerprints', () => {
  expect(contentHashOf('{"a":"é"}')).toBe(contentHashOf(Buffer.from('{"a":"é"}')))
  expect(contentHashOf('{"a":[1,"x"]}')).not.toBe(contentHashOf('{"a":["x",1]}'))
  expect(contentHashOf('{}')).toMatch(/^[\w-]{22}$/)
})
