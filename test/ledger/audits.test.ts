import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditAfter, staleExtras, verdictOf, type AuditSample } from '../../src/ledger/audits.ts'
import { auditSum, DAY_MS, mostDiffering, type ListAudit } from '../../src/model/list-audit.ts'
import { T } from '../store/samples.ts'
import { runs } from '../support/runs.ts'

test.each([
  { what: 'what agrees by now was a change on its way', first: ['status a→b'], again: [], verdict: 'agrees' },
  {
    what: 'the old value in a list that was read since, and the new one by id',
    first: ['status a→b'],
    again: ['status a→b'],
    verdict: 'stale',
  },
  {
    what: 'one of several values that stand still',
    first: ['eta 1→2', 'status a→b'],
    again: ['eta 1→3', 'status a→b'],
    verdict: 'stale',
  },
  { what: 'values of which neither stands still', first: ['eta 1→2'], again: ['eta 2→3'], verdict: 'moved' },
  { what: 'another field than before', first: ['eta 1→2'], again: ['status a→b'], verdict: 'moved' },
])('of a difference: $what', ({ again, first, verdict }) => {
  expect(verdictOf(first, again)).toBe(verdict)
})

/** Samples of a record each, a minute apart: `a` agrees, `s` is stale, `w` is well again. */
function samples(text: string): readonly AuditSample[] {
  return [...text.matchAll(/([asw])(\d*)/g)].map(([, kind, number = ''], nth): AuditSample => {
    const sample = { id: `R${number}`, at: T + nth * 60_000 }
    if (kind === 's') return { ...sample, kind: 'stale', fields: ['/status'] }
    return { ...sample, kind: kind === 'w' ? 'well' : 'agrees' }
  })
}

function follow(all: readonly AuditSample[]) {
  let audit: ListAudit | null = null
  const rung: string[] = []
  for (const [nth, sample] of all.entries()) {
    const step = auditAfter(audit, sample)
    audit = step.audit
    if (step.rings !== null) rung.push(`${step.rings}@${nth}`)
  }
  return { audit, rung }
}

describe('a list', () => {
  test.each([
    ['that agrees is silent', 'a'.repeat(400), []],
    ['that is stale rings once', 'aas1s2s1', ['stale@2']],
    ['is not well while one that was stale is not', `s1${'a'.repeat(400)}`, ['stale@0']],
    ['is well once it is, and twenty in a row agreed', `s1w1${'a'.repeat(20)}`, ['stale@0', 'recovered@21']],
    ['is well with the last that was stale', `s1${'a'.repeat(20)}w1`, ['stale@0', 'recovered@21']],
    [
      'that is stale again begins to count anew',
      `s1w1${'a'.repeat(19)}s2w2${'a'.repeat(20)}`,
      ['stale@0', 'recovered@42'],
    ],
    [
      'that was well too soon takes twice as many',
      `s1w1${'a'.repeat(20)}s2w2${'a'.repeat(40)}`,
      ['stale@0', 'recovered@21', 'stale@22', 'recovered@63'],
    ],
  ])('%s', (_, text, rung) => {
    expect(follow(samples(text)).rung).toEqual(rung)
  })

  test('rings with what the samples of a week came to', () => {
    const old = { kind: 'agrees', id: 'R', at: T - 8 * DAY_MS } as const
    const { audit } = follow([old, ...samples('aaas1')])
    expect(audit === null ? null : staleExtras(audit, T)).toEqual({ sampled: 4, differed: 1, sample: ['R1'] })
    expect(audit).toMatchObject({ sampled: 5, differed: 1 })
    expect(auditSum(audit, T + 7 * DAY_MS)).toEqual({ sampled: 0, differed: 0 })
  })
})

test('whatever the samples: it rings in turns, sums up what it was given, and stays small', () => {
  const sample = fc.record({
    kind: fc.constantFrom('agrees' as const, 'agrees' as const, 'agrees' as const, 'stale' as const, 'well' as const),
    id: fc.constantFrom('A', 'B', 'C'),
    waited: fc.constantFrom(0, 60_000, DAY_MS),
  })
  const property = fc.property(fc.array(sample, { maxLength: 300 }), (all) => {
    let at = T
    const { audit, rung } = follow(all.map(({ waited, ...each }) => ({ ...each, fields: [], at: (at += waited) })))
    expect(rung.map((each) => each.split('@')[0])).toEqual(
      rung.map((_, nth) => (nth % 2 === 0 ? 'stale' : 'recovered')),
    )
    expect(audit?.episode == null).toBe(rung.length % 2 === 0)
    expect(audit?.sampled ?? 0).toBe(all.filter(({ kind }) => kind !== 'well').length)
    expect(audit?.differed ?? 0).toBe(all.filter(({ kind }) => kind === 'stale').length)
    expect(audit?.days.length ?? 0).toBeLessThanOrEqual(7)
    expect(audit?.episode?.records.length ?? 0).toBeLessThanOrEqual(3)
  })
  fc.assert(property, runs(50))
})

test.each([
  [0, 0, null],
  [0, 400, 0.7461],
  [0, 3, 63.16],
  [1, 100, 4.6559],
  [4, 400, 2.274],
  [10, 10, 100],
])('of %i of %i at most so many percent differ, with 95 %% confidence', (differed, sampled, percent) => {
  const most = mostDiffering({ differed, sampled })
  if (percent === null) expect(most).toBeNull()
  else expect(100 * (most ?? 0)).toBeCloseTo(percent, 2)
})
