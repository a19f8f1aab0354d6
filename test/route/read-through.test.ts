import { describe, expect, it } from 'vitest'
import { readThroughFor } from '../../src/route/read-through.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { subscription } from '../support/subscription.ts'

const T = Date.UTC(2026, 10, 21, 8)
/** A list of which a complete pass started at T and ended half a minute later, whose oldest answer came in between. */
const READ = {
  resource: 'shipment',
  passStartedAt: T,
  completedAt: T + 30,
  completeFrom: T - 100,
  oldestReadAt: T + 5,
} as const

describe('how far a list was read', () => {
  it.each([
    ['nothing was read whole yet', { completedAt: null, completeFrom: null }, null],
    ['a complete pass began then', {}, T],
    ['while the next pass goes on, or none comes through', { passStartedAt: T + 40, completeFrom: T }, T],
    ['what an older version left of it', { passStartedAt: T + 40, completeFrom: null }, T + 5],
  ])('%s', (_, differs, readAt) => {
    const overviews = [{ account: 'bench', lists: [{ ...READ, ...differs }] }]
    expect(readThroughFor(subscription('erp'), { accounts: [BOUNDLESS_ACCOUNT], overviews })).toEqual([
      { account: 'bench', resource: 'shipments', readAt },
    ])
  })
})
