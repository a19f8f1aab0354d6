import { expect, it } from 'vitest'
import { fingerprint } from '../../src/model/fingerprint.ts'

it('equal texts have equal fingerprints, other ones other fingerprints', () => {
  expect(fingerprint('{"a":"é"}')).toBe(fingerprint(Buffer.from('{"a":"é"}')))
  expect(fingerprint('{"a":[1,"x"]}')).not.toBe(fingerprint('{"a":["x",1]}'))
  expect(fingerprint('{}')).toMatch(/^[\w-]{22}$/)
})
