import { test } from 'vitest'
import { expectWhole } from './crash.ts'

test('a process killed amid commits leaves whole transactions only, and loses none it had reported', async () => {
  await expectWhole(40)
})
