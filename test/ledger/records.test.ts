import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { movedTerms, recordAfter, type RecordAt, recordColumns } from '../../src/ledger/records.ts'
import { listingOf } from '../../src/model/record-listing.ts'
import { NO_OUTLINE, outlineOf } from '../../src/model/record-outline.ts'
import { searchTermsOf } from '../../src/model/search-terms.ts'
import { sampleState, T } from '../store/samples.ts'
import { runs } from '../support/runs.ts'

const SEEN = { platform_shipment_id: 'SHP-1', number: 'N 1', status: 'booked', name: 'Blue chairs' }
const RENAMED = { ...SEEN, name: 'Red tables' }
const OUTLINE = outlineOf('shipment', SEEN)

function at(changes: Partial<RecordAt<number>> = {}): RecordAt<number> {
  return {
    seen: 1,
    lastEventAt: T,
    changedAt: T - 1,
    phase: 'at_sea',
    phaseUntil: 9,
    outline: OUTLINE,
    listing: listingOf(sampleState('SHP-1', { seen: SEEN })),
    terms: null,
    ...changes,
  }
}

describe('a record after a write', () => {
  const nothing = { rangAt: undefined, shownAt: undefined, before: null }

  test('is as it was where its content is', () => {
    const state = sampleState('SHP-1', { seen: RENAMED })
    expect(recordAfter(at(), { ...nothing, state, seen: 1 })).toEqual(at())
  })

  test('is listed and found by another content, and by none of its own where it is new', () => {
    const state = sampleState('SHP-1', { seen: RENAMED })
    const terms = searchTermsOf('shipment', 'SHP-1', RENAMED)
    const outline = outlineOf('shipment', RENAMED)
    expect(recordAfter(at(), { ...nothing, state, seen: 2, before: SEEN })).toEqual(at({ seen: 2, outline, terms }))
    const fresh = { ...at(), seen: 2, lastEventAt: 0, changedAt: T, phase: null, phaseUntil: null, outline, terms }
    expect(recordAfter(null, { ...nothing, state, seen: 2 })).toEqual(fresh)
  })

  test('is found as before where nothing moved that it is found by', () => {
    const moved = { ...SEEN, status: 'delivered' }
    const state = sampleState('SHP-1', { seen: moved })
    const outline = outlineOf('shipment', moved)
    expect(recordAfter(at(), { ...nothing, state, seen: 2, before: SEEN })).toEqual(at({ seen: 2, outline }))
    const before = at({ terms: ['of the write before'] })
    expect(recordAfter(before, { ...nothing, state, seen: 2, before: SEEN }).terms).toEqual(['of the write before'])
    // Of a content that is not at hand nothing is known.
    expect(recordAfter(at(), { ...nothing, state, seen: 2 }).terms).toEqual(searchTermsOf('shipment', 'SHP-1', moved))
  })

  test('has the phase that it is written with, and rang when it did', () => {
    const state = sampleState('SHP-1', { seen: SEEN })
    const phase = { phase: 'near_arrival', until: null } as const
    const after = recordAfter(at(), { state, phase, seen: 1, rangAt: T + 5, shownAt: undefined, before: null })
    expect(after).toEqual(at({ phase: 'near_arrival', phaseUntil: null, lastEventAt: T + 5 }))
  })

  test('changed when a read showed what rings, or when one first showed it', () => {
    const state = sampleState('SHP-1', {
      seen: SEEN,
      firstSeenAt: T - 9,
      lastRead: { sentAt: T + 1, answeredAt: T + 2 },
    })
    const changedAt = (old: RecordAt<number> | null, shownAt?: number) =>
      recordAfter(old, { ...nothing, state, seen: 2, shownAt }).changedAt
    expect(changedAt(at(), T + 5)).toBe(T + 5)
    expect(changedAt(at())).toBe(T - 1)
    expect(changedAt(null)).toBe(T + 2)
    expect(changedAt(at({ seen: null, changedAt: null }))).toBe(T + 2)
    // Of what was stored before that was remembered, the last event of any kind says it.
    expect(changedAt(at({ changedAt: null }))).toBe(T)
    expect(changedAt(at({ changedAt: null, lastEventAt: 0 }))).toBe(T - 9)
    const unseen = { ...nothing, state: sampleState('SHP-1', { seen: null }), seen: null }
    expect(recordAfter(null, unseen).changedAt).toBeNull()
    expect(recordAfter(at(), unseen).changedAt).toBe(T - 1)
  })

  test('is listed by nothing where it is none of the platform', () => {
    const state = sampleState('erp', { resource: 'subscription', seen: SEEN })
    expect(recordAfter(null, { ...nothing, state, seen: 2 })).toMatchObject({ outline: NO_OUTLINE, terms: null })
  })

  test('is due when an estimate that waits is', () => {
    const memory = { settling: { dueAt: 7, estimates: {} } }
    expect(recordColumns(sampleState('SHP-1', { memory, nextEdgeAt: 8 }), at())).toMatchObject({
      settlesAt: 7,
      nextEdgeAt: 8,
      atBaseline: 1,
    })
    expect(recordColumns(sampleState('SHP-1', { atBaseline: false }), at())).toMatchObject({
      settlesAt: null,
      atBaseline: 0,
    })
  })
})

test('moved terms make of what was found before what is found after', () => {
  const terms = fc.array(fc.constantFrom<string>('a', 'b', 'c', 'd'))
  fc.assert(
    fc.property(terms, terms, (before, after) => {
      const { found, gone } = movedTerms(before, after)
      const left = new Set(before)
      for (const term of gone) expect(left.delete(term)).toBe(true)
      for (const term of found) expect(left.size).toBeLessThan(left.add(term).size)
      expect([...left].toSorted((a, b) => a.localeCompare(b))).toEqual(
        [...new Set(after)].toSorted((a, b) => a.localeCompare(b)),
      )
    }),
    runs(100),
  )
})
