import { describe, expect, test } from 'vitest'
import { chaos } from './chaos.ts'

const FAULTS = { failed: 0.1, throttled: 0.004, reset: 0.05, hanging: 0.002 }

describe.concurrent('a receiver that fails and a process that is killed', () => {
  test('cost no delivery, repeat only what was under way, and leave every row in its state', async () => {
    const report = await chaos({
      seed: 1,
      events: 250,
      subjects: 40,
      kills: 3,
      faults: FAULTS,
      poison: 3,
      subscriptions: { plain: 'none', ordered: 'subject', off: 'disabled' },
      concurrency: 8,
      timeout: '2s',
      backups: { everyMs: 1_000, restored: 2 },
    })
    expect(report.states).toEqual({
      plain: { pending: 0, delivered: 247, exhausted: 3, held: 0, discarded: 0 },
      ordered: { pending: 0, delivered: 247, exhausted: 3, held: 0, discarded: 0 },
      off: { pending: 0, delivered: 0, exhausted: 0, held: 250, discarded: 0 },
    })
    expect(report).toMatchObject({ lost: 0, strangers: [], outOfOrder: [], ended: [null, null, null, 0] })
    expect(report.duplicates).toBeLessThanOrEqual(report.underWayAtKills)
    expect(report.underWayAtKills).toBeLessThanOrEqual(3 * 2 * 8)
    expect(report.backups?.problems).toEqual([])
    expect(report.backups?.restored[0]?.due).toBeGreaterThan(0)
  })

  test('never break the order of a subject', async () => {
    const report = await chaos({
      seed: 2,
      events: 3_000,
      subjects: 300,
      kills: 1,
      faults: FAULTS,
      poison: 5,
      subscriptions: { ordered: 'subject' },
      concurrency: 32,
      timeout: '2s',
    })
    expect(report).toMatchObject({ lost: 0, strangers: [], outOfOrder: [], ended: [null, 0] })
    expect(report.states).toMatchObject({ ordered: { pending: 0, delivered: 2_995, exhausted: 5 } })
    expect(report.duplicates).toBeLessThanOrEqual(report.underWayAtKills)
  })
})
