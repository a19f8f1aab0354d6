import { expect, test } from 'vitest'
import { portName } from '../../src/model/port-names.ts'
import { HUBS } from '../../src/sandbox/catalogue/hubs.ts'

test('every place of the sandbox has a name beside its code', () => {
  const codes = Object.values(HUBS).map(({ unlocode }) => unlocode)
  expect(codes.filter((code) => portName(code) === null)).toEqual([])
})

test('a code is understood with a space and in any case; others have no name', () => {
  expect(['cn sha', 'FRCDG', 'XXXXX', 'toString'].map(portName)).toEqual([
    'Shanghai',
    'Paris Charles de Gaulle',
    null,
    null,
  ])
})
