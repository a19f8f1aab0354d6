import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { Audited, seeded } from './audited.ts'
import { idOf, NO_CLOCK_IS_SET, Polling, shipment, shipments, WATCH } from './polling.ts'
import { asked, HOUR, MINUTE } from './spare-reading.ts'

const STATES = ['booked', 'in_progress', 'finished']

function anyChange(random: () => number): JsonObject {
  const day = 10 + Math.floor(random() * 20)
  const date = { date: `2026-12-${day}T${10 + Math.floor(random() * 12)}:00:00Z`, status: 'estimated' }
  const status = STATES[Math.floor(random() * STATES.length)] ?? ''
  return { status, main_tracking_dates: { arrival_date: date }, cargo: { total_teus: Math.floor(random() * 5) } }
}

const settings: Partial<AccountSettings> = {
  audit: true,
  budget: { requests: 60, perMs: MINUTE, concurrency: 4, share: 1 },
  watch: { shipments: { ...WATCH.shipments, everyMs: 10 * MINUTE } },
}

async function baselined(more: Partial<AccountSettings>, count: number): Promise<Polling> {
  const polling = new Polling({ ...settings, ...more }, NO_CLOCK_IS_SET)
  polling.platform.shipments = shipments(count)
  await polling.pass()
  polling.random = seeded(5)
  return polling
}

describe('a platform', () => {
  test('whose list shows one row of a hundred stale is found within a day', async () => {
    await using polling = await baselined({}, 400)
    for (const id of ['SHP-41', 'SHP-132', 'SHP-205', 'SHP-371'])
      polling.platform.found.set(`shipment/${id}`, shipment(id, { status: 'finished' }))
    const startedAt = polling.clock.now()
    const hasRung = async () => (await polling.types()).includes('account.list_stale')
    while (!(await hasRung()) && polling.clock.now() - startedAt < 24 * HOUR) await polling.run(HOUR / 4)
    expect((await polling.types()).filter((type) => type !== 'account.baseline_completed')).toEqual([
      'account.list_stale',
    ])
    const minutes = (polling.clock.now() - startedAt) / MINUTE
    expect(asked(polling, /^shipment\//).length).toBeLessThanOrEqual(0.02 * 60 * minutes)
  })

  test('that is well, whatever changes on it, gives no alarm in thirty days', async () => {
    await using audited = new Audited(60)
    audited.stepMs = 18 * MINUTE
    audited.passMs = audited.stepMs
    const random = seeded(7)
    const change = (): void => audited.show(`SHP-${1 + Math.floor(random() * 60)}`, anyChange(random))
    const startedAt = audited.polling.clock.now()
    for (let pass = 0; pass < 30 * 12; pass += 1) {
      change()
      await audited.pass()
      for (let turn = 0; turn < 3; turn += 1) {
        await audited.look(2)
        change()
      }
    }
    expect(audited.polling.clock.now() - startedAt).toBeGreaterThanOrEqual(30 * 24 * HOUR)
    expect(await audited.rung()).toEqual([])
    const audit = await audited.audit()
    expect(audit).toMatchObject({ differed: 0, episode: null })
    expect(audit?.sampled).toBeGreaterThan(1_500)
  })
})

/** How long a change goes unseen on average, whenever it happens: by the times between the reads of its page. */
async function meanDelay(audit: boolean): Promise<number> {
  const budget = { requests: 6, perMs: MINUTE, concurrency: 1, share: 1 }
  await using polling = await baselined({ audit, budget }, 300)
  const { clock, platform } = polling
  const random = seeded(11)
  const startedAt = clock.now()
  const ids = [...new Set(Array.from({ length: 120 }, () => `SHP-${1 + Math.floor(random() * 300)}`))]
  const changedAt = new Map(ids.map((id, nth) => [id, startedAt + nth * 4 * MINUTE]))
  platform.onRequest = (_, at) => {
    platform.shipments = platform.shipments.map((each) => {
      const isChanged = (changedAt.get(idOf(each)) ?? Number.POSITIVE_INFINITY) <= at
      return isChanged && each['status'] === 'booked' ? shipment(idOf(each), { status: 'in_progress' }) : each
    })
  }
  await polling.run(ids.length * 4 * MINUTE)
  expect(asked(polling, /^shipment\//).length > 30).toBe(audit)
  const delays = [0, 100, 200].map((skip) => {
    const reads = asked(polling, new RegExp(`^shipments\\?skip=${skip}$`)).filter((at) => at >= startedAt)
    const gaps = reads.slice(1).map((at, nth) => at - (reads[nth] ?? at))
    const [span, squares] = [gaps, gaps.map((gap) => gap ** 2)].map((all) => all.reduce((sum, each) => sum + each, 0))
    return (squares ?? 0) / (span ?? 1) / 2
  })
  return delays.reduce((sum, each) => sum + each, 0) / delays.length
}

test('changes are seen as soon as without audits, but for two percent', async () => {
  const [without, beside] = [await meanDelay(false), await meanDelay(true)]
  expect(beside).toBeLessThanOrEqual(1.02 * without)
})
