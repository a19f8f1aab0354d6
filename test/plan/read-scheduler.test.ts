import { beforeEach, describe, expect, it } from 'vitest'
import type { Learnt } from '../../src/model/learnt.ts'
import type { Phase } from '../../src/model/phase.ts'
import type { ItemTarget, PageTarget, Target } from '../../src/plan/target.ts'
import type { Weights } from '../../src/plan/known-units.ts'
import { ReadScheduler } from '../../src/plan/read-scheduler.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 2)

function page(skip: number): PageTarget {
  return { kind: 'page', resource: 'shipment', skip }
}

function tracking(id: string): ItemTarget {
  return { kind: 'item', resource: 'tracking', id }
}

let scheduler = new ReadScheduler({})
beforeEach(() => {
  scheduler = new ReadScheduler({})
})

function know(id: string, phase: Phase | null, of = scheduler): void {
  of.itemKnown({ target: tracking(id), phase: phase === null ? null : { phase, until: null }, endsAt: null }, NOW)
}

/** The order in which the units would be read now, each as if it were read meanwhile. */
function order(now: number, of = scheduler): readonly Target[] {
  const targets: Target[] = []
  for (let choice = of.choose(now); choice !== null; choice = of.choose(now)) {
    targets.push(choice.target)
    of.postpone(choice.target, now)
  }
  return targets
}

function names(targets: readonly Target[]): readonly string[] {
  return targets.map((target) => (target.kind === 'item' ? target.id : `+${target.skip}`))
}

describe('what an account may show next', () => {
  it('is likeliest where shipments near a port, and least where they are finished', () => {
    for (const phase of ['finished', 'draft', 'near_arrival', 'at_sea'] as const) know(phase, phase)
    expect(names(order(NOW + 30 * DAY))).toEqual(['near_arrival', 'at_sea', 'draft', 'finished'])
  })

  it('is the sum of its rows for a page', () => {
    scheduler.pageKnown(page(0), { readAt: NOW, mix: { finished: 20 } })
    scheduler.pageKnown(page(100), { readAt: NOW, mix: { at_sea: 100 } })
    know('one', 'at_sea')
    expect(names(order(NOW + DAY))).toEqual(['+100', 'one', '+0'])
  })

  it('turns to what proves lively, and from what does not', () => {
    know('lively', 'at_sea')
    know('quiet', 'at_sea')
    for (let day = 1; day <= 12; day += 1) {
      for (const id of ['lively', 'quiet']) {
        const at = NOW + day * DAY
        scheduler.itemRead({ target: tracking(id), at, changed: id === 'lively', announced: false })
      }
    }
    const now = NOW + 13 * DAY
    const [first, second] = [
      scheduler.choose(now),
      (scheduler.postpone(tracking('lively'), now), scheduler.choose(now)),
    ]
    expect([first?.target, second?.target]).toEqual([tracking('lively'), tracking('quiet')])
    expect(first?.expected).toBeGreaterThan(3 * (second?.expected ?? 1))
  })

  it('learns from a few what to expect of all that are in the same phase', () => {
    for (let index = 0; index < 20; index += 1) know(`seen ${index}`, 'draft')
    know('at sea', 'at_sea')
    know('new', 'draft')
    expect(names(order(NOW + 10 * DAY)).indexOf('at sea')).toBe(0)
    for (let day = 1; day <= 10; day += 1) {
      for (let index = 0; index < 20; index += 1) {
        const target = tracking(`seen ${index}`)
        scheduler.itemRead({ target, at: NOW + day * DAY, changed: true, announced: false })
      }
    }
    know('new', 'draft')
    const rank = names(order(NOW + 20 * DAY))
    expect(rank.indexOf('new')).toBeLessThan(rank.indexOf('at sea'))
  })

  it('goes by weights', () => {
    const weighted = new ReadScheduler({ shipment: 100 })
    weighted.pageKnown(page(0), { readAt: NOW, mix: { finished: 100 } })
    know('one', 'near_arrival', weighted)
    expect(names(order(NOW + DAY, weighted))).toEqual(['+0', 'one'])
  })

  it('takes what was announced first, each once, and nothing that is not read', () => {
    know('a', 'at_sea')
    know('b', 'at_sea')
    for (const id of ['b', 'unknown', 'a', 'b']) scheduler.announce(tracking(id), { since: NOW, at: NOW })
    const taken = [1, 2, 3].map(() => scheduler.takeAnnounced(NOW)?.target ?? null)
    expect(taken).toEqual([tracking('b'), tracking('a'), null])
  })

  it('takes what was announced in vain again, but not before its time', () => {
    for (const id of ['failed', 'forgotten', 'next']) {
      know(id, 'at_sea')
      scheduler.announce(tracking(id), { since: NOW, at: NOW })
    }
    const [failed, forgotten] = [scheduler.takeAnnounced(NOW), scheduler.takeAnnounced(NOW)]
    scheduler.forget(tracking('forgotten'))
    for (const again of [failed, forgotten]) {
      if (again !== null) scheduler.announceAgain({ ...again, failures: 1, from: NOW + 1_000 })
    }
    expect(scheduler.takeAnnounced(NOW)?.target).toEqual(tracking('next'))
    expect([scheduler.takeAnnounced(NOW + 999), scheduler.announcedFrom()]).toEqual([null, NOW + 1_000])
    expect(scheduler.takeAnnounced(NOW + 1_000)).toEqual({ target: tracking('failed'), failures: 1, from: NOW + 1_000 })
    expect(scheduler.announcedFrom()).toBeNull()
  })

  it('does not take what was announced for lively of its own', () => {
    know('announced', 'at_sea')
    know('by itself', 'at_sea')
    for (let day = 1; day <= 12; day += 1) {
      const at = NOW + day * DAY
      scheduler.itemRead({ target: tracking('announced'), at, changed: true, announced: true })
      scheduler.itemRead({ target: tracking('by itself'), at, changed: true, announced: false })
    }
    expect(names(order(NOW + 13 * DAY))).toEqual(['by itself', 'announced'])
  })

  it('holds nothing that has ended, was forgotten, or lies behind the end of its list', () => {
    know('gone', 'at_sea')
    scheduler.itemKnown({ target: tracking('over'), phase: null, endsAt: NOW + HOUR }, NOW)
    for (const skip of [0, 100, 200]) scheduler.pageKnown(page(skip), { readAt: NOW, mix: { at_sea: 1 } })
    scheduler.forget(tracking('gone'))
    scheduler.endList('shipment', new Set([0]))
    expect(names(order(NOW + DAY))).toEqual(['+0'])
    expect(scheduler.unsaved().gone.map(({ name }) => name)).toEqual(['gone', '100', '200', 'over'])
    expect(scheduler.unsaved().gone).toEqual([])
  })

  it('survives a restart', () => {
    for (const id of ['lively', 'quiet']) know(id, 'at_sea')
    scheduler.pageKnown(page(0), { readAt: NOW, mix: {} })
    for (let day = 1; day <= 12; day += 1) {
      const at = NOW + day * DAY
      scheduler.itemRead({ target: tracking('lively'), at, changed: true, announced: false })
      scheduler.itemRead({ target: tracking('quiet'), at, changed: false, announced: false })
      scheduler.pageRead({ target: page(0), at, mix: { inland: 3 }, changed: { inland: 1 } })
    }
    const learnt: Learnt = JSON.parse(JSON.stringify(scheduler.unsaved()))
    expect(scheduler.unsaved().units.filter(({ what }) => what !== 'kind')).toEqual([])
    const again = new ReadScheduler({})
    again.recall(learnt)
    for (const id of ['quiet', 'lively']) know(id, 'at_sea', again)
    again.pageKnown(page(0), { readAt: NOW, mix: again.recalledMix(page(0)) ?? {} })
    expect(names(order(NOW + 14 * DAY, again))).toEqual(['+0', 'lively', 'quiet'])
    again.endRecall()
    expect(again.unsaved().gone).toEqual([])
    const elsewhere = new ReadScheduler({})
    elsewhere.recall(learnt)
    elsewhere.endRecall()
    expect(
      elsewhere
        .unsaved()
        .gone.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['0', 'lively'])
  })

  it('learns no more from a year that was leapt over than from the longest time between two reads', () => {
    const expectedADayLater = (at: number, longestMs: number): number => {
      const one = new ReadScheduler({})
      know('one', 'near_arrival', one)
      one.pageKnown(page(0), { readAt: NOW, mix: { near_arrival: 100 } })
      one.itemRead({ target: tracking('one'), at, changed: false, announced: false, longestMs: () => longestMs })
      one.pageRead({ target: page(0), at, mix: null, changed: {}, longestMs: () => longestMs })
      const first = one.choose(at + DAY)
      one.postpone(page(0), at + DAY)
      return (first?.expected ?? 0) + (one.choose(at + DAY)?.expected ?? 0)
    }
    const afterHours = expectedADayLater(NOW + 8 * HOUR, DAY)
    expect(expectedADayLater(NOW + 365 * DAY, 8 * HOUR)).toBeCloseTo(afterHours, 6)
    expect(expectedADayLater(NOW + 365 * DAY, 400 * DAY)).toBeLessThan(afterHours / 20)
  })

  it('outlives a clock that leaps', () => {
    const weights: Weights = {}
    const leaping = new ReadScheduler(weights)
    know('a', 'at_sea', leaping)
    for (const at of [NOW - 400 * DAY, NOW + 4_000 * DAY, NOW]) {
      leaping.itemRead({ target: tracking('a'), at, changed: true, announced: false })
      expect(leaping.choose(at)?.expected ?? 0).toBeLessThan(1e9)
    }
    expect(leaping.readAt(tracking('a'))).toBe(NOW)
  })
})
