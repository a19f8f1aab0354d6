import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { siteOf } from '../../src/platform/site.ts'

const SECRET = 'pk_live_4fJ7secret'

test('an excerpt is short, on one line and printable', () => {
  expect(siteOf('https://platform.example', SECRET).excerpt('  a\n\tb\u0000\u001b[31mc\u2028d  ', 20)).toBe(
    'a b [31mc d',
  )
  expect(siteOf('https://platform.example', SECRET).excerpt('x'.repeat(121), 120)).toBe(`${'x'.repeat(119)}…`)
  expect(siteOf('https://platform.example', SECRET).excerpt('x'.repeat(120), 120)).toBe('x'.repeat(120))
})

test('an excerpt never splits a character in two', () => {
  expect(siteOf('https://platform.example', SECRET).excerpt('🚢'.repeat(9), 4).isWellFormed()).toBe(true)
})

test('an excerpt holds no part of the secret, wherever it stands', () => {
  const excerpt = siteOf('https://platform.example', SECRET).excerpt
  fc.assert(
    fc.property(
      fc.integer({ min: 16_384 - 40, max: 16_384 + 40 }),
      fc.integer({ min: 0, max: 200 }),
      (spaces, limit) => {
        const shown = excerpt(`${' '.repeat(spaces)}${SECRET}${'.'.repeat(100)}`, limit + 1)
        expect(shown).not.toContain(SECRET.slice(0, 3))
      },
    ),
  )
  expect(excerpt(`key=${SECRET}!`, 120)).toBe('key=[api key]!')
})

test('a key so short that words hold it is masked where it stands alone', () => {
  const excerpt = siteOf('https://platform.example', 'k').excerpt
  expect(excerpt('unknown key "k": k-1, Bearer k', 120)).toBe('unknown key "[api key]": [api key]-1, Bearer [api key]')
})
