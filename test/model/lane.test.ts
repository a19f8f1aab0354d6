import { expect, test } from 'vitest'
import { askedKey, readLane } from '../../src/model/lane.ts'

test.each([
  ['CNSHA-FRFOS', 'CNSHA → FRFOS'],
  [' cnsha > frfos ', 'CNSHA → FRFOS'],
  ['CNSHA → NLRTM', 'CNSHA → NLRTM'],
  ['Shanghai - Rotterdam', 'CNSHA → NLRTM'],
  ['shanghai-rotterdam', 'CNSHA → NLRTM'],
  ['Le Havre → CNSHA', 'FRLEH → CNSHA'],
  ['lodz - liege', 'PLLOD → BELGG'],
  ["xi'an - ŁÓDŹ", 'CNSIA → PLLOD'],
  ['XXABC-Nowhere', 'XXABC → NOWHERE'],
])('%s is the lane %s', (text, lane) => {
  expect(readLane(text)).toBe(lane)
})

test.each(['', '-', 'Shanghai', 'Shanghai -', '- Rotterdam', 'a-b', 'No Such Port - Rotterdam', '-'.repeat(10_000)])(
  '%s is none',
  (text) => {
    expect(readLane(text)).toBe(null)
  },
)

test('what lanes are listed by can be asked for', () => {
  expect(askedKey('CNSHA → FRFOS')).toBe('CNSHA-FRFOS')
  expect(askedKey('Shanghai port → FRFOS')).toBe(null)
})
