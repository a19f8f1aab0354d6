import { expect, it } from 'vitest'
import { needsOf } from '../../src/report/needs.ts'
import type { HeldList } from '../../src/model/hold.ts'

it('amounts within needs have separators of thousands', () => {
  const held: HeldList = {
    account: 'acme',
    resource: 'shipment',
    missing: 12_345,
    known: 1_234_567,
    reason: 'too_many',
    since: 0,
    verdict: null,
    sample: [],
    quietPasses: 0,
  }
  const facts = { now: 0, running: true, settings: null, accounts: [], endpoints: [], holds: [held] }
  expect(needsOf(facts).map(({ what }) => what)).toEqual([
    'acme: 12,345 of 1,234,567 shipments are gone from the list, which is not believed.',
  ])
})
