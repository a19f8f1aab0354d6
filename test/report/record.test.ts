import { expect, it } from 'vitest'
import { recordDetailJson } from '../../src/report/record.ts'
import { recordOf } from '../desk/sample-desk.ts'

it('a record as programs get it has no half of a character, which many parsers refuse', () => {
  const object = { name: 'Garden \ud83d', note: String.raw`\ud83d`, ship: '🚢' }
  const shown = recordDetailJson(recordOf('shipment', 'S1', object))
  expect(shown['object']).toEqual({ ...object, name: 'Garden \ufffd' })
})
