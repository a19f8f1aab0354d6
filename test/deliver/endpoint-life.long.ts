import { describe, expect, it } from 'vitest'
import { alertedWorld, DAY, HOUR, MINUTE, SCHEDULE } from './alerted-world.ts'
import { status } from './scripted-receiver.ts'

describe('thousands of failures', () => {
  it('are four notices at most, with the recovery', async () => {
    const { erp, ops, configured, world: life } = await alertedWorld()
    await life.configure(...configured.map((each) => ({ ...each, channel: { ...each.channel, concurrency: 64 } })))
    for (let n = 0; n < 4; n += 1) {
      await life.ring('erp', 500)
      await life.deliver()
    }
    erp.answer = status(410)
    await life.ring('erp', 100)
    await life.deliver()
    erp.answer = status(200)
    await life.store.enable('erp', { at: life.clock.now(), discard: false })
    await life.deliver()
    expect(erp.requests.length).toBeGreaterThan(2_000)
    expect((await life.emitted()).length).toBeLessThanOrEqual(4)
    expect((await life.emitted()).slice(-2)).toEqual(['erp disabled', 'erp recovered'])
    expect(ops.requests).toHaveLength((await life.emitted()).length)
  })

  it('that take turns with successes are no storm, and end in a recovery after an hour of rest', async () => {
    const { erp, world: life } = await alertedWorld()
    let n = 0
    erp.answer = (request) => {
      n += 1
      status(n % 7 === 0 ? 200 : 500)(request)
    }
    life.retryMs = [DAY, DAY]
    for (let each = 0; each < 40; each += 1) {
      await life.ring('erp', 7)
      await life.deliver()
      life.clock.jump(life.clock.now() + MINUTE / 2)
    }
    expect(await life.emitted()).toEqual(['erp failing', 'erp recovered', 'erp failing'])
    erp.answer = status(200)
    await life.ring('erp')
    await life.deliver()
    expect((await life.emitted()).length).toBe(3)
    life.clock.jump(life.clock.now() + HOUR)
    await life.deliver()
    expect(await life.emitted()).toEqual(['erp failing', 'erp recovered', 'erp failing', 'erp recovered'])
  })
})

describe('an endpoint that fails', () => {
  it('is disabled in time, whatever happens to the clock', async () => {
    const { world: life } = await alertedWorld()
    life.retryMs = SCHEDULE
    await life.ring('erp')
    const begin = life.clock.monotonic()
    for (let hour = 0; (await life.emitted()).at(-1) !== 'erp disabled' && hour < 200; hour += 1) {
      await life.ring('erp')
      await life.deliver()
      life.clock.jump(life.clock.now() + HOUR)
      if (hour % 20 === 7) life.clock.set(life.clock.now() + 40 * DAY)
      if (hour % 20 === 17) life.clock.set(life.clock.now() - 40 * DAY)
    }
    const days = (life.clock.monotonic() - begin) / DAY
    expect([days > 2, days < 7]).toEqual([true, true])
  })
})
