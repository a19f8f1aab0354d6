import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOpen } from '../../src/ledger/endpoint-state.ts'
import {
  follow,
  type FollowedEndpoint,
  type FollowedTo,
  type Move,
  type MoveKind,
  MOVES,
} from '../../src/ledger/follow.ts'
import { runs } from '../support/runs.ts'

const ENDPOINT: FollowedEndpoint = {
  subscription: 'erp',
  configured: 1,
  enabled: 1,
  disabled_at: null,
  ordered: 0,
  discards_to: null,
  queued_to: null,
  reconsidered_to: null,
  has_held: 1,
  has_pending: 1,
  has_turns: 1,
}
const NOTHING = { amount: 0, last: null }

/** The moves that are asked for where each finds nothing. */
function asked(changes: Partial<FollowedEndpoint>): readonly (readonly [MoveKind, number])[] {
  const slice = follow([{ ...ENDPOINT, ...changes }])
  const moves: [MoveKind, number][] = []
  for (let step = slice.next(); step.done !== true; step = slice.next(NOTHING))
    moves.push([step.value.kind, step.value.most])
  return moves
}

describe('what an endpoint asks of its rows', () => {
  test.each<readonly [string, Partial<FollowedEndpoint>, readonly (readonly [MoveKind, number])[]]>([
    [
      'open: what is held is released, and no lane is kept',
      {},
      [
        ['release', 500],
        ['take turns', 100],
      ],
    ],
    ['open, with turns', { ordered: 1 }, [['release', 500]]],
    ['disabled', { disabled_at: 1, has_turns: 0 }, [['hold', 500]]],
    [
      'missing from the file, and discarded',
      { configured: 0, discards_to: 7, has_turns: 0 },
      [
        ['discard', 500],
        ['hold', 500],
      ],
    ],
    [
      'discarded, with turns that pass on',
      { discards_to: 7, ordered: 1 },
      [
        ['discard', 100],
        ['release', 500],
      ],
    ],
    ['ordered from now on', { ordered: 1, queued_to: 0, has_held: 0 }, [['give turns', 100]]],
    ['known anew', { reconsidered_to: 0, has_held: 0, has_turns: 0 }, [['reconsider', 500]]],
    [
      'nothing, where it has no rows',
      { discards_to: 7, reconsidered_to: 0, has_held: 0, has_pending: 0, has_turns: 0 },
      [],
    ],
  ])('%s', (_, changes, moves) => {
    expect(asked(changes)).toEqual(moves)
  })

  test('a slice ends where its cost is spent, and the next one goes on behind the last row', () => {
    const slice = follow([
      { ...ENDPOINT, ordered: 1, queued_to: 0, has_held: 0 },
      { ...ENDPOINT, subscription: 'other' },
    ])
    expect(slice.next().value).toMatchObject({ kind: 'give turns', most: 100 })
    expect(slice.next({ amount: 100, last: 42 })).toEqual({
      done: true,
      value: {
        isDone: false,
        endpoints: [{ subscription: 'erp', discards_to: null, queued_to: 42, reconsidered_to: null, unsettled: 1 }],
      },
    })
  })

  test('a place is gone once fewer were found than might be', () => {
    const slice = follow([{ ...ENDPOINT, ordered: 1, queued_to: 3, has_held: 0 }])
    slice.next()
    expect(slice.next({ amount: 99, last: 42 }).value).toMatchObject({
      isDone: true,
      endpoints: [{ queued_to: null, unsettled: 0 }],
    })
  })
})

interface Row {
  readonly event: number
  state: 'pending' | 'held' | 'discarded'
  turn: number | null
  putOff: boolean
  test: number
}

/** A store of one endpoint, as plain as can be. */
class Rows {
  readonly #rows: readonly Row[]
  moves = 0

  constructor(rows: readonly Row[]) {
    this.#rows = rows
  }

  has(which: (row: Row) => boolean): number {
    return this.#rows.some(which) ? 1 : 0
  }

  move({ kind, endpoint, most }: Move) {
    const rows = this.#rows.filter((row) => this.#isMoved(row, kind, endpoint)).slice(0, most)
    this.moves += rows.length
    for (const row of rows) {
      const { state, turn } = MOVES[kind]
      if (state === 'pending' || state === 'held' || state === 'discarded') row.state = state
      if (turn === 0 || turn === null) row.turn = turn
      if (kind === 'reconsider' && row.test === 0) row.putOff = false
    }
    return { amount: rows.length, last: rows.at(-1)?.event ?? null }
  }

  #isMoved({ event, putOff, state, test, turn }: Row, kind: MoveKind, endpoint: FollowedEndpoint): boolean {
    switch (kind) {
      case 'discard':
        return state === 'held' && event <= (endpoint.discards_to ?? 0)
      case 'hold':
        return state === 'pending' && (test === 0 || endpoint.configured === 0)
      case 'release':
        return state === 'held'
      case 'give turns':
        return state !== 'discarded' && event > (endpoint.queued_to ?? 0)
      case 'take turns':
        return turn !== null
      case 'reconsider':
        return state === 'pending' && putOff && event > (endpoint.reconsidered_to ?? 0)
      default:
        return kind satisfies never
    }
  }
}

test('slice by slice, rows come to where their endpoint asks them to be, and no slice is long', () => {
  const rows = fc.array(
    fc.record({
      state: fc.constantFrom('pending' as const, 'held' as const, 'discarded' as const),
      turn: fc.constantFrom(null, 0, 1),
      putOff: fc.boolean(),
      test: fc.nat(1),
    }),
    { maxLength: 1_500, size: 'max' },
  )
  const place = fc.option(fc.nat(1_500))
  const endpoints = fc.record({
    configured: fc.nat(1),
    disabled_at: fc.constantFrom(null, 1),
    ordered: fc.nat(1),
    discards_to: place,
    reconsidered_to: place,
  })
  fc.assert(
    fc.property(rows, endpoints, (drawn, switches) => {
      const all: Row[] = drawn.map((row, nth) => ({ ...row, event: nth + 1 }))
      let endpoint: FollowedEndpoint & FollowedTo = {
        ...ENDPOINT,
        ...switches,
        queued_to: switches.ordered === 1 ? 0 : null,
        unsettled: 1,
      }
      for (let slices = 0; endpoint.unsettled === 1; slices += 1) {
        expect(slices).toBeLessThan(60)
        endpoint = { ...endpoint, ...sliceOf(endpoint, new Rows(all)) }
      }
      expect(all.filter((row) => !isInPlace(row, endpoint))).toEqual([])
    }),
    runs(15),
  )
})

function sliceOf(endpoint: FollowedEndpoint, rows: Rows): FollowedTo | undefined {
  const has = {
    has_held: rows.has(({ state }) => state === 'held'),
    has_pending: rows.has(({ state }) => state === 'pending'),
    has_turns: rows.has(({ turn }) => turn !== null),
  }
  const slice = follow([{ ...endpoint, ...has }])
  let step = slice.next()
  while (step.done !== true) step = slice.next(rows.move(step.value))
  expect(rows.moves).toBeLessThanOrEqual(500)
  return step.value.endpoints[0]
}

function isInPlace({ state, test, turn }: Row, endpoint: FollowedEndpoint): boolean {
  if (endpoint.ordered === 0 && turn !== null) return false
  if (endpoint.ordered === 1 && turn === null && state !== 'discarded') return false
  if (isOpen(endpoint)) return state !== 'held'
  return state !== 'pending' || (test === 1 && endpoint.configured === 1)
}
