import { describe, expect, it } from 'vitest'
import { ChurnTracker, type Churn } from '../../src/detect/churn-tracker.ts'
import type { EventDraft } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { baseline, detect } from './reads.ts'

/** What a read of a record rings when it turns from one reading to another. */
function turn(id: string, from: JsonObject, to: JsonObject): readonly EventDraft[] {
  return detect({ resource: 'shipment', id, before: baseline('shipment', from), after: to, ignore: [] }).events
}

/** Rounds over `records` records, of which `changing` have another time stamp in every round. */
function rounds(tracker: ChurnTracker, many: { rounds: number; records: number; changing: number }): readonly Churn[] {
  return Array.from({ length: many.rounds }, (_, round) => {
    const events = Array.from({ length: many.changing }, (_, index) =>
      turn(`SHP-${index}`, { name: 'x', box: [{ at: round }] }, { name: 'x', box: [{ at: round + 1 }] }),
    )
    return tracker.note({ round, reads: many.records, events: events.flat() })
  }).flat()
}

describe('a path that changes on most reads', () => {
  it('is told once, with `*` for elements', () => {
    expect(rounds(new ChurnTracker(), { rounds: 9, records: 10, changing: 9 })).toEqual([
      { path: '/box/*/at', changed: 27, reads: 30 },
    ])
  })

  it('is told of a single record after twenty reads', () => {
    expect(rounds(new ChurnTracker(), { rounds: 19, records: 1, changing: 1 })).toEqual([])
    expect(rounds(new ChurnTracker(), { rounds: 20, records: 1, changing: 1 })).toHaveLength(1)
  })

  it('is not told before the third round, however many records there are', () => {
    expect(rounds(new ChurnTracker(), { rounds: 2, records: 50, changing: 50 })).toEqual([])
  })

  it('is not told below four fifths of the reads', () => {
    expect(rounds(new ChurnTracker(), { rounds: 9, records: 10, changing: 7 })).toEqual([])
    expect(rounds(new ChurnTracker(), { rounds: 9, records: 10, changing: 8 })).toHaveLength(1)
  })

  it('is judged by the last reads', () => {
    const tracker = new ChurnTracker()
    for (let round = 0; round < 50; round += 1) tracker.note({ round, reads: 10, events: [] })
    const churning = [50, 51, 52].map((round) => {
      const ids = Array.from({ length: 10 }, (_, index) => `SHP-${index}`)
      const events = ids.flatMap((id) => turn(id, { name: String(round) }, { name: String(round + 1) }))
      return tracker.note({ round, reads: 10, events }).map(({ path }) => path)
    })
    expect(churning).toEqual([[], [], ['/name']])
  })

  it('counts once in a record, however many elements changed', () => {
    const tracker = new ChurnTracker()
    const churning = [0, 1, 2, 3].flatMap((round) => {
      const events = turn('SHP-1', { box: [{ at: 1 }, { at: 2 }] }, { box: [{ at: 3 }, { at: 4 }] })
      return tracker.note({ round, reads: 10, events })
    })
    expect(churning).toEqual([])
  })

  it('is none that only comes and goes', () => {
    const tracker = new ChurnTracker()
    const churning = Array.from({ length: 30 }, (_, round) =>
      tracker.note({ round, reads: 1, events: turn('SHP-1', {}, { name: String(round) }) }),
    )
    expect(churning.flat()).toEqual([])
  })

  it('is found though a platform invents paths', { tags: 'long' }, () => {
    const tracker = new ChurnTracker()
    const churning = Array.from({ length: 25 }, (_, round) => {
      const invented = (value: number): JsonObject =>
        Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`r${round}_${index}`, value]))
      return tracker.note({
        round,
        reads: 1,
        events: turn('SHP-1', { at: round, ...invented(1) }, { at: round + 1, ...invented(2) }),
      })
    })
    expect(churning.flat().map(({ path }) => path)).toEqual(['/at'])
  })
})
