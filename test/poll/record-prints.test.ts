import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../src/detect/fingerprint.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { RecordPrints } from '../../src/poll/record-prints.ts'

describe('the fingerprints of an answer’s records', () => {
  test('tell what is known, just as it is', () => {
    const prints = new RecordPrints()
    expect(prints.has({ id: 'A' })).toBe(false)
    prints.know([fingerprint({ id: 'A' })])
    expect(prints.has({ id: 'A' })).toBe(true)
    expect(prints.has({ id: 'A', name: null })).toBe(false)
    expect(prints.of({ id: 'A' })).toBe(fingerprint({ id: 'A' }))
  })

  test('of a record that is nested too deep are not known', () => {
    const prints = new RecordPrints()
    prints.know(['something'])
    const deep: JsonObject = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)
    expect(prints.has(deep)).toBe(false)
  })
})
