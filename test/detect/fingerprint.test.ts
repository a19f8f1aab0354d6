import { expect, it } from 'vitest'
import { fingerprint } from '../../src/detect/fingerprint.ts'

it('equal records have equal fingerprints, other ones other fingerprints', () => {
  expect(fingerprint({ a: [1, 'x'] })).toBe(fingerprint({ a: [1, 'x'] }))
  expect(fingerprint({ a: [1, 'x'] })).not.toBe(fingerprint({ a: ['x', 1] }))
  expect(fingerprint({})).toMatch(/^[\w-]{22}$/)
})
