import { expect, it } from 'vitest'
import { LeaseTrust, markNow } from '../../../src/app/workers/lease-trust.ts'
import { FakeClock } from '../../support/fake-clock.ts'

it('lasts from before the renewal, and ends by whichever clock has gone on further', async () => {
  const clock = new FakeClock()
  const trust = new LeaseTrust(clock, 12_000, markNow(clock))
  await clock.advance(11_999)
  expect(trust.isWhole).toBe(true)
  await clock.advance(1)
  expect(trust.isWhole).toBe(false)
  trust.renewed(markNow(clock))
  expect(trust.leftMs).toBe(12_000)
  clock.set(clock.now() + 12_000)
  expect(trust.isWhole).toBe(false)
  clock.set(clock.now() - 3_600_000)
  expect(trust.isWhole).toBe(true)
  await clock.advance(12_000)
  expect(trust.isWhole).toBe(false)
})
