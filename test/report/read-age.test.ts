import { expect, test } from 'vitest'
import { readAges } from '../../src/report/read-age.ts'
import { NOW, sampleDesk } from '../desk/sample-desk.ts'

const HOUR = 3_600_000

test('tracking of which nothing is left to be read is as old as the shipments that say so', () => {
  const { context, store } = sampleDesk()
  const [settings] = context.accounts()
  const [account] = store.accountOverviews
  if (settings === undefined || account === undefined) throw new Error('The sample has accounts.')
  const lists = account.lists.map((list) =>
    list.resource === 'tracking'
      ? { ...list, oldestReadAt: null, completedAt: NOW - 90 * HOUR }
      : { ...list, oldestReadAt: NOW - 1_000 },
  )
  const ages = readAges(settings, { ...account, lists }, NOW)
  expect(ages.find(({ resource }) => resource === 'tracking')).toMatchObject({ ageMs: 1_000, state: 'fresh' })
})
