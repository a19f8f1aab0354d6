import { completeness, type Completeness } from '@shipbell/events'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '../../src/model/json.ts'
import { runs } from '../support/runs.ts'

/** What came, as JSON has it. */
type Came = Json | undefined

const SUBJECT = { resource: 'subscription', id: 'erp' }

function event(position: number, series = 'a'): Came {
  return { id: `evt_${position}`, type: 'invoice.due', delivery: { subscription: 'erp', series, position } }
}

function watermark(through: number, series = 'a', timestamp?: string): Came {
  const data = { series, position: through + 5, complete_through: through, resources: [] }
  return {
    id: 'wm_1',
    type: 'shipbell.watermark',
    subject: SUBJECT,
    data,
    ...(timestamp !== undefined && { timestamp }),
  }
}

function item(position: number, facts: Readonly<Record<string, Json>> = {}): Came {
  return { position, event_id: `evt_${position}`, state: 'discarded', payload: null, ...facts }
}

function page(items: readonly Came[], facts: Readonly<Record<string, Json>> = {}): Came {
  return { series: 'a', first: 1, next: null, head: 90, ...facts, items: items.filter((each) => each !== undefined) }
}

/** Gives what came to those who take anything; the types of `seen` say what makes sense. */
function feed(counted: Completeness, ...came: readonly Came[]): Completeness {
  const seen: unknown = Reflect.get(counted, 'seen')
  for (const each of came) if (typeof seen === 'function') Reflect.apply(seen, counted, [each])
  return counted
}

/** The state goes through JSON, as receivers keep it. */
function kept(counted: Completeness): Completeness {
  return completeness({ state: JSON.parse(JSON.stringify(counted)) })
}

const missing = (...came: readonly Came[]): unknown => feed(completeness(), ...came).missing()

describe('what is missing', () => {
  it('lies between the first seen and the newest watermark', () => {
    expect(missing(event(4), event(6), event(9))).toEqual([])
    expect(missing(event(4), event(6), event(9), watermark(8))).toEqual([
      [5, 5],
      [7, 8],
    ])
    expect(missing(watermark(8), watermark(5), event(6), event(4), event(4))).toEqual([
      [5, 5],
      [7, 8],
    ])
    expect(missing(watermark(8))).toEqual([])
  })

  it('lies behind `after` where that is given', () => {
    expect(feed(completeness({ after: 0 }), event(2), watermark(3)).missing()).toEqual([
      [1, 1],
      [3, 3],
    ])
    expect(feed(completeness({ after: 2 }), watermark(3), event(1)).missing()).toEqual([[3, 3]])
    for (const after of [-1, 0.5, NaN, 2 ** 53]) expect(() => completeness({ after })).toThrow(TypeError)
  })

  it('is healed by items of the feed, alone or by the page, whatever they hold', () => {
    const lost = [event(1), event(9), watermark(9)]
    expect(missing(...lost, item(2), item(3, { state: 'pending', payload: event(3) ?? null }))).toEqual([[4, 8]])
    expect(missing(...lost, page([item(2), item(3)]))).toEqual([[4, 8]])
    expect(missing(...lost, page([item(7)], { first: 7 }))).toEqual([[8, 8]])
    expect(missing(...lost, item(7, { first: 7 }))).toEqual([[8, 8]])
    expect(missing(...lost, page([], { first: null, head: 8 }))).toEqual([])
  })

  it('is not what a page leaves out that says where it begins', () => {
    const lost = [event(1), event(9), watermark(9)]
    expect(missing(...lost, page([item(3), item(5)], { after: 1, next: 5 }))).toEqual([[6, 8]])
    expect(missing(...lost, page([item(3)], { after: 2, head: 7 }))).toEqual([
      [2, 2],
      [8, 8],
    ])
    expect(missing(...lost, page([], { after: 20, head: 9 }), page([], { after: -1 }))).toEqual([[2, 8]])
    expect(missing(...lost, page([item(3), item(5)], { next: 5 }))).toEqual([
      [2, 2],
      [4, 4],
      [6, 8],
    ])
  })

  it('does not begin earlier because of what is no longer kept', () => {
    expect(missing(page([], { first: 5 }), event(8), watermark(9))).toEqual([[9, 9]])
  })

  it('is told of CloudEvents, too', () => {
    const attributes = { specversion: '1.0', type: 'shipbell.invoice.due', subscription: 'erp', series: 'a' }
    expect(missing({ ...attributes, position: '0000000000000001' }, event(3), watermark(3))).toEqual([[2, 2]])
  })

  it('has nothing to do with what has no position', () => {
    const odd = [null, 7, 'x', [], {}, { delivery: {} }, { position: -1 }, { position: '1e3' }, { items: [null, [1]] }]
    const empty = { type: 'shipbell.watermark', data: { series: 5, complete_through: 9 } }
    expect(missing(event(1), ...odd, empty, undefined, watermark(1))).toEqual([])
  })
})

describe('another series', () => {
  it('begins anew, and says so once', () => {
    const counted = feed(completeness(), event(1), event(3), watermark(3))
    expect([counted.missing(), counted.restarted()]).toEqual([[[2, 2]], false])
    feed(counted, event(1, 'b'))
    expect([counted.missing(), kept(counted).restarted(), counted.restarted()]).toEqual([[], true, true])
    expect([counted.restarted(), kept(counted).restarted()]).toEqual([false, false])
    expect(feed(counted, event(3, 'b'), watermark(4, 'b')).missing()).toEqual([
      [2, 2],
      [4, 4],
    ])
  })

  it('is looked at from its beginning where `after` was given', () => {
    const counted = feed(completeness({ after: 40 }), event(41), event(3, 'b'), watermark(3, 'b'))
    expect(counted.missing()).toEqual([[1, 2]])
  })

  it('is not left for a straggler of an earlier one', () => {
    const counted = feed(
      completeness(),
      event(1),
      event(1, 'b'),
      event(3, 'b'),
      watermark(3, 'b', '2026-11-21T08:00:00Z'),
    )
    counted.restarted()
    feed(
      counted,
      event(2),
      watermark(9),
      watermark(9, 'a', '2026-11-21T07:59:00Z'),
      watermark(9, 'z', '2026-11-21T07:00:00Z'),
    )
    expect([counted.missing(), counted.restarted()]).toEqual([[[2, 2]], false])
  })

  it('that a straggler began ends with the next watermark, and nothing that came is forgotten', () => {
    const counted = feed(
      completeness(),
      event(1, 'b'),
      event(3, 'b'),
      watermark(3, 'b', '2026-11-21T08:00:00Z'),
      event(7),
    )
    expect(counted.missing()).toEqual([])
    feed(counted, event(4, 'b'), watermark(5, 'b', '2026-11-21T08:01:00Z'))
    expect(counted.missing()).toEqual([
      [2, 2],
      [5, 5],
    ])
  })

  it('is remembered a few times, not for ever', () => {
    const counted = completeness({ after: 0 })
    for (let nth = 0; nth < 100; nth += 1) feed(counted, event(1, `series ${nth}`), watermark(2, `series ${nth}`))
    expect(counted.missing()).toEqual([[2, 2]])
    expect(JSON.stringify(counted).length).toBeLessThan(500)
  })
})

const position = fc.integer({ min: 1, max: 60 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('event', 'item', 'page'), at: position }) },
  fc.record({ kind: fc.constant('watermark'), at: position }),
  fc.record({ kind: fc.constant('first'), at: fc.integer({ min: 1, max: 20 }) }),
)
type Step = { readonly kind: string; readonly at: number }

function cameOf({ at, kind }: Step): Came {
  if (kind === 'watermark') return watermark(at)
  if (kind === 'first') return page([], { first: at })
  if (kind === 'page') return page([item(at)])
  return kind === 'item' ? item(at) : event(at)
}

/** By sets, position by position. */
function byHand(steps: readonly Step[], after: number | undefined): ReadonlySet<number> {
  const of = (kind: string): number[] => steps.filter((each) => each.kind === kind).map(({ at }) => at)
  const seen = new Set([...of('event'), ...of('item'), ...of('page')])
  const [first, through] = [Math.max(1, ...of('first')), Math.max(0, ...of('watermark'))]
  const from = after === undefined ? Math.min(...seen) : after + 1
  const all = Array.from({ length: 60 }, (_, nth) => nth + 1)
  return new Set(all.filter((each) => each >= from && each <= through && each >= first && !seen.has(each)))
}

function positionsIn(ranges: readonly (readonly [number, number])[]): ReadonlySet<number> {
  return new Set(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth)))
}

const options = fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined })

describe('what came', () => {
  it('counts as in a set, in any order, over states that are kept', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), options, fc.nat(), (steps, after, cut) => {
        let counted = completeness(after === undefined ? {} : { after })
        for (const [nth, each] of steps.entries()) {
          feed(counted, cameOf(each))
          if (nth % (1 + (cut % 7)) === 0) counted = kept(counted)
        }
        const ranges = counted.missing()
        expect(positionsIn(ranges)).toEqual(byHand(steps, after))
        const behind = ranges.every(([from, to], nth) => from <= to && from > (ranges[nth - 1]?.[1] ?? -1) + 1)
        expect(behind).toBe(true)
        expect(
          feed(completeness(after === undefined ? {} : { after }), ...steps.toReversed().map(cameOf)).missing(),
        ).toEqual(ranges)
      }),
      runs(300),
    )
  })

  it('of earlier series changes nothing of the current one', () => {
    const straggler = fc.record({ before: fc.nat({ max: 40 }), at: position, series: fc.constantFrom('x', 'y') })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.array(straggler, { maxLength: 20 }), (steps, stragglers) => {
        const counted = feed(completeness(), event(9, 'x'), event(4, 'y'), event(30))
        for (const [nth, each] of steps.entries()) {
          for (const { at, series } of stragglers.filter(({ before }) => before === nth))
            feed(counted, event(at, series), watermark(at, series))
          feed(counted, cameOf(each))
        }
        expect(counted.missing()).toEqual(feed(completeness(), event(30), ...steps.map(cameOf)).missing())
      }),
      runs(200),
    )
  })

  it('is kept in ranges', () => {
    const counted = completeness({ after: 0 })
    for (let nth = 1; nth <= 100_000; nth += 1) if (nth % 1_000 !== 0) feed(counted, event(nth))
    feed(counted, watermark(100_000))
    expect(counted.missing()).toHaveLength(100)
    expect(JSON.stringify(counted).length).toBeLessThan(2_000)
  })
})

/** What a state has of a series. */
function track(facts: Readonly<Record<string, Json>>): Json {
  return { series: 'a', first: 1, through: 9, ranges: [[1, 4]], ...facts }
}

describe('a state', () => {
  const whole: Json = JSON.parse(
    JSON.stringify(feed(completeness({ after: 3 }), event(7), watermark(9), event(2, 'b'))),
  )

  it.each([
    ['text', 'version 1'],
    ['a list', []],
    ['of another version', { ...(isJsonObject(whole) && whole), version: 2 }],
    ['without series', { ...(isJsonObject(whole) && whole), tracks: 5 }],
    ['with a series twice', { ...(isJsonObject(whole) && whole), tracks: [track({}), track({})] }],
    [
      'with ranges that overlap',
      withTrack({
        ranges: [
          [1, 5],
          [5, 6],
        ],
      }),
    ],
    ['with a range that ends before it begins', withTrack({ ranges: [[5, 4]] })],
    ['with what is no position', withTrack({ ranges: [[0.5, 4]] })],
    ['with a first that is none', withTrack({ first: 0 })],
    ['with a series that is none', withTrack({ series: 7 })],
  ])('%s is refused', (_, state) => {
    expect(() => completeness({ state })).toThrow(TypeError)
  })

  function withTrack(facts: Readonly<Record<string, Json>>): Json {
    return { ...(isJsonObject(whole) && whole), tracks: [track(facts)] }
  }

  it('that is null or left out is none', () => {
    expect(feed(completeness({ after: 0, state: null }), watermark(1)).missing()).toEqual([[1, 1]])
  })

  it('wins over `after`, and is nobody else’s afterwards', () => {
    const state: unknown = JSON.parse(JSON.stringify(feed(completeness({ after: 3 }), event(7), watermark(9))))
    const before = JSON.stringify(state)
    expect(feed(completeness({ after: 0, state }), event(5)).missing()).toEqual([
      [4, 4],
      [6, 6],
      [8, 9],
    ])
    expect(JSON.stringify(state)).toBe(before)
  })

  it('that anybody made is refused, or works', () => {
    const any = fc.jsonValue()
    const range = fc.oneof(fc.tuple(fc.nat(), fc.nat()), any)
    const ranges = fc.oneof(fc.array(range), any)
    const track = fc.record({ series: any, first: fc.oneof(position, any), through: fc.oneof(position, any), ranges })
    const [yes, newest] = [fc.oneof(fc.boolean(), any), fc.oneof(fc.constant(null), any)]
    const tracks = fc.oneof(fc.array(track, { maxLength: 6 }), any)
    const state = fc.record({ version: fc.constant(1), fromStart: yes, restarted: yes, newest, tracks })
    fc.assert(
      fc.property(fc.oneof(any, state), (made) => {
        try {
          feed(completeness({ state: made }), event(3), watermark(9)).missing()
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
        }
      }),
      runs(200),
    )
  })
})
