import { expect, test } from 'vitest'
import { describeSoak, soak } from './soak.ts'

test('what the program holds stays as it is beside endpoints that close, refuse, hang and fail', async () => {
  const report = await soak({ minutes: 1.5, eventsPerSecond: 50, reloadEveryMs: 10_000, leniency: 4 })
  const grown = Object.entries(report.trends).flatMap(([measure, { flat }]) => (flat ? [] : [measure]))
  expect(grown, describeSoak(report)).toEqual([])
  expect(report).toMatchObject({ delivered: report.changes, exitCode: 0 })
})
