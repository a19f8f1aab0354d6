import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readDeliveries } from '../../src/sandbox/sandbox.ts'
import { compareEmitted } from './compare-emitted.ts'
import { sampleOf } from './deliveries/make-sample.ts'
import { eventsByTheCells, NO_DATA, realDeliveriesFile, SAMPLE } from './real-deliveries.ts'
import { replay } from './replay.ts'

const SHIPMENTS = 144

describe('a sample of real deliveries', () => {
  test('rings, replayed day by day through the sandbox, exactly the events computed straight from the CSV', async () => {
    const expected = eventsByTheCells(SAMPLE)
    const days = [...new Set(expected.map(({ seen }) => seen))].sort()
    const { emitted } = await replay(readDeliveries(SAMPLE), [...days, '2016-01-01'])
    expect(compareEmitted(expected, emitted)).toEqual({ missed: [], invented: [] })
    expect(expected).toHaveLength(2 * SHIPMENTS)
  })

  test('is what the whole file holds', (context) => {
    const file = realDeliveriesFile()
    if (file === null) context.skip(NO_DATA)
    else expect(readFileSync(SAMPLE, 'utf8')).toBe(sampleOf(file))
  })
})
