import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endedBefore, type FeedEnding, type FeedRow, isOpenRow, walkFeed } from '../../src/ledger/feeds.ts'
import { DELIVERY_STATES, type DeliveryState } from '../../src/model/delivery.ts'
import { bornAt, deliveryId } from '../../src/model/delivery-id.ts'

const T = Date.UTC(2026, 10, 21, 8)

interface Times {
  readonly bornAt?: number
  readonly askedAt?: number | null
}

function row(position: number, state: DeliveryState, { bornAt: at = T, askedAt = null }: Times = {}): FeedRow {
  const id = deliveryId({ eventId: `evt_${position}`, subscription: 'erp' }, at)
  return { ref: position, id, position, state, next_attempt_at: askedAt }
}

const TAKEN_TO_6: FeedEnding = { kind: 'taken', position: 6 }
const OLD: FeedEnding = { kind: 'kept too long', before: T }

interface Walk {
  readonly name: string
  readonly rows: readonly FeedRow[]
  readonly ending: FeedEnding | null
  readonly expected: { readonly ended: readonly number[]; readonly to: number; readonly isStopped: boolean }
}

const WALKS: readonly Walk[] = [
  { name: 'meets nothing', rows: [], ending: null, expected: { ended: [], to: 4, isStopped: false } },
  {
    name: 'goes on over what has ended',
    rows: [row(5, 'delivered'), row(6, 'discarded')],
    ending: null,
    expected: { ended: [], to: 6, isStopped: false },
  },
  {
    name: 'stops at an open row',
    rows: [row(5, 'exhausted'), row(6, 'held')],
    ending: null,
    expected: { ended: [], to: 5, isStopped: true },
  },
  {
    name: 'stops at once',
    rows: [row(5, 'pending'), row(6, 'delivered')],
    ending: null,
    expected: { ended: [], to: 4, isStopped: true },
  },
  {
    name: 'ends what is taken',
    rows: [row(5, 'pending'), row(6, 'held'), row(7, 'pending')],
    ending: TAKEN_TO_6,
    expected: { ended: [5, 6], to: 6, isStopped: true },
  },
  {
    name: 'knows what ended behind what is taken',
    rows: [row(6, 'pending'), row(7, 'delivered')],
    ending: TAKEN_TO_6,
    expected: { ended: [6], to: 7, isStopped: false },
  },
  {
    name: 'ends what is old',
    rows: [row(5, 'pending', { bornAt: T - 1 }), row(6, 'pending')],
    ending: OLD,
    expected: { ended: [5], to: 5, isStopped: true },
  },
  {
    name: 'leaves what was asked for again',
    rows: [row(5, 'pending', { bornAt: T - 9, askedAt: T })],
    ending: OLD,
    expected: { ended: [], to: 4, isStopped: true },
  },
]

describe('a walk along a feed', () => {
  it.each(WALKS)('$name', ({ ending, expected, rows }) => {
    const { ended, ...walked } = walkFeed(rows, 4, ending)
    expect({ ended: ended.map(({ position }) => position), ...walked }).toEqual(expected)
  })

  it('ends every open row up to where it comes, and none behind', () => {
    const states = fc.array(fc.constantFrom(...DELIVERY_STATES))
    const property = fc.property(states, fc.nat({ max: 12 }), (of, position) => {
      const rows = of.map((state, index) => row(index + 1, state))
      const { ended, to } = walkFeed(rows, 0, { kind: 'taken', position })
      const left = rows.filter((each) => isOpenRow(each) && !ended.includes(each))
      expect(Math.min(...left.map((each) => each.position))).toBeGreaterThan(to)
      expect(ended.every((each) => each.position <= Math.min(to, position))).toBe(true)
    })
    fc.assert(property)
  })
})

it('an id says when its row was made', () => {
  expect(bornAt(deliveryId({ eventId: 'evt_1', subscription: 'erp' }, T))).toBe(T)
  expect(bornAt('of another kind')).toBe(0)
})

it.each([
  [9, 12, 9],
  [9, 4, 3],
  [9, null, 9],
])('every row up to %i has ended, once row %s is open again up to %i', (ended, reopened, now) => {
  expect(endedBefore(ended, reopened)).toBe(now)
})
