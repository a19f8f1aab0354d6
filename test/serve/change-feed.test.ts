import { expect, test } from 'vitest'
import { ChangeFeed } from '../../src/serve/stream/change-feed.ts'

test('what other workers changed is told as it is found, and what this one changed at once, and once', () => {
  const feed = new ChangeFeed()
  feed.rowsChanged(['nobody listens'])
  expect(feed.isRead).toBe(false)
  let woken = 0
  using reader = feed.read(() => (woken += 1))
  expect(feed.isRead).toBe(true)
  feed.rowsChanged(['own'])
  expect([woken, reader.takeRows()]).toEqual([1, ['own']])
  feed.rowsFound(['own'])
  expect(woken).toBe(1)
  feed.rowsFound(['own', 'other'])
  expect([woken, reader.takeRows()]).toEqual([2, ['own', 'other']])
})
