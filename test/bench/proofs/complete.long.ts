import { expect, test } from 'vitest'
import { complete } from './complete.ts'

test('what a proxy swallows is shown by the first watermark that has passed it, and healed, while the filter changes and the daemon dies', async () => {
  const report = await complete({
    seed: 1,
    deliveries: 300,
    shipments: 40,
    kills: 1,
    store: 'sqlite',
    swallows: { deliveries: 0.03, watermarks: 0.05 },
  })
  expect(report.problems).toEqual([])
  expect(report).toMatchObject({ kills: 2, healed: report.lost })
  expect(report.lost).toBeGreaterThan(0)
})
