import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideRuntime, fateOf, isTestDue, type RuntimeDecision } from '../../src/ledger/runtime-subscriptions.ts'
import type {
  NameFacts,
  RuntimeChange,
  RuntimeDisabledBy,
  RuntimeRefusal,
  RuntimeSubscription,
} from '../../src/model/runtime-subscription.ts'
import { runs } from '../support/runs.ts'

const T = Date.UTC(2026, 10, 21, 8)
const HOUR = 3_600_000
const FREE: NameFacts = { isOfFile: false, hasEndpoint: false, hasRows: false, hasWaiting: false }

function row(changes: Partial<RuntimeSubscription> = {}): RuntimeSubscription {
  return {
    name: 'cust',
    owner: null,
    settings: '{}',
    sealed: 'x',
    ordered: 0,
    madeAt: T,
    renewedAt: T,
    addressedAt: T,
    verifiedAt: T + 1,
    disabledBy: null,
    disabledReason: null,
    disabledAt: null,
    endedAt: null,
    revision: 1,
    ...changes,
  }
}

const STORED = { name: 'cust', settings: '{}', sealed: 'y', ordered: 0 }
const MAKE: RuntimeChange = { kind: 'make', at: T + 9, most: 2, owner: null, ...STORED }
const ALTER: RuntimeChange = { kind: 'alter', at: T + 9, from: 1, isReaddressed: false, isRenewed: true, ...STORED }
const ofFile = disabled('file')

function disabled(by: RuntimeDisabledBy): Partial<RuntimeSubscription> {
  return { disabledBy: by, disabledReason: 'why', disabledAt: T + 2 }
}

function decide(change: RuntimeChange, rows: readonly RuntimeSubscription[], facts = FREE): RuntimeDecision {
  return decideRuntime({ subscriptions: rows, nameFacts: () => facts }, change, 7)
}

/** What becomes of `cust`; a word: why nothing does. */
function came(decision: RuntimeDecision): unknown {
  if ('refusal' in decision) return decision.refusal
  const [written] = decision.subscriptions
  const [endpoint] = decision.endpoints
  const { disabledBy, endedAt, verifiedAt } = written ?? row()
  const state = endedAt !== null ? 'ended' : (disabledBy ?? (verifiedAt === null ? 'unverified' : 'ok'))
  return [
    written === undefined ? 'same' : state,
    endpoint === undefined ? '-' : `${endpoint.configured}${endpoint.enabled}`,
  ]
}

const ended = row({ endedAt: T + 2, sealed: '' })
const CASES: readonly [string, RuntimeChange, readonly RuntimeSubscription[], Partial<NameFacts>, unknown][] = [
  ['a new one', MAKE, [], {}, ['unverified', '10']],
  ['a name that is taken', MAKE, [row()], {}, 'name taken'],
  ['a name of the file', MAKE, [], { isOfFile: true }, 'name of file'],
  ['a name that was a file’s', MAKE, [], { hasRows: true }, ['unverified', '10']],
  ['a name that was a file’s, for another', { ...MAKE, owner: 'b' }, [], { hasRows: true }, 'name of another'],
  ['a name of its own that ended', MAKE, [ended], { hasRows: true }, ['unverified', '10']],
  ['a name of another that ended', { ...MAKE, owner: 'b' }, [ended], { hasRows: true }, 'name of another'],
  ['a name of another without rows', { ...MAKE, owner: 'b' }, [ended], {}, ['unverified', '10']],
  ['a name whose rows wait', MAKE, [ended], { hasRows: true, hasWaiting: true }, 'rows wait'],
  ['one too many', MAKE, [row({ name: 'a' }), row({ name: 'b' })], {}, 'too many'],
  [
    'one more beside one that ended',
    MAKE,
    [row({ name: 'a' }), row({ name: 'b', endedAt: T })],
    {},
    ['unverified', '10'],
  ],
  ['another key', ALTER, [row()], {}, ['ok', '11']],
  ['another address', { ...ALTER, isReaddressed: true }, [row()], {}, ['unverified', '10']],
  ['one that was changed meanwhile', { ...ALTER, from: 0 }, [row()], {}, 'stale'],
  ['one that ended', ALTER, [ended], {}, 'unknown'],
  ['one that lapsed', ALTER, [row(disabled('lapsed'))], {}, ['ok', '11']],
  [
    'another secret of one that lapsed',
    { ...ALTER, isRenewed: false },
    [row(disabled('lapsed'))],
    {},
    ['lapsed', '10'],
  ],
  ['one whose name the file has', ALTER, [row(ofFile)], { isOfFile: true }, 'name of file'],
  ['one whose name the file had, with its rows', ALTER, [row(ofFile)], { hasWaiting: true }, 'rows wait'],
  ['one whose name the file had', ALTER, [row(ofFile)], {}, ['unverified', '10']],
  ['an answered test', verify(T), [row({ verifiedAt: null })], {}, ['ok', '11']],
  [
    'an answered test of one disabled',
    verify(T),
    [row({ verifiedAt: null, ...disabled('owner') })],
    {},
    ['owner', '10'],
  ],
  ['a test of another address', verify(T - 1), [row({ verifiedAt: null })], {}, 'stale'],
  ['a second answered test', verify(T), [row()], {}, ['same', '-']],
  ['an end', { kind: 'end', name: 'cust', at: T + 9 }, [row()], {}, ['ended', '00']],
  [
    'the end of one whose name the file has',
    { kind: 'end', name: 'cust', at: T + 9 },
    [row(ofFile)],
    {},
    ['ended', '-'],
  ],
  ['a second end', { kind: 'end', name: 'cust', at: T + 9 }, [ended], {}, 'unknown'],
  ['an end of what changed', { kind: 'end', name: 'cust', from: 0, at: T + 9 }, [row()], {}, 'stale'],
  ['an owner that is gone', judged('owner'), [row()], {}, ['owner', '10']],
  ['an owner that returns', judged(null), [row(disabled('owner'))], {}, ['ok', '11']],
  ['a file that takes the name', judged('file'), [row()], {}, ['file', '-']],
  ['a file that let go of the name', judged(null), [row(ofFile)], {}, ['same', '-']],
]

function verify(addressedAt: number): RuntimeChange {
  return { kind: 'verify', name: 'cust', addressedAt, at: T + 9 }
}

function judged(by: RuntimeDisabledBy | null): RuntimeChange {
  return { kind: 'judge', at: T + 9, verdicts: new Map([['cust', by === null ? null : { by, reason: 'why' }]]) }
}

test.each(CASES)('%s', (_, ...[change, rows, facts, outcome]) => {
  expect(came(decide(change, rows, { ...FREE, ...facts }))).toEqual(outcome)
})

test('what a name had on record is not what its new subscription begins with', () => {
  expect(decide(MAKE, [ended], { ...FREE, hasRows: true })).toMatchObject({
    subscriptions: [{ madeAt: T + 9, endedAt: null, verifiedAt: null, revision: 7 }],
    endpoints: [{ begins: 'at once', forgetsDates: true }],
  })
})

test('names of those that ended are kept for as long as the ledger has rows', () => {
  const change: RuntimeChange = { kind: 'forget', at: T + 60_002 }
  expect(decide({ kind: 'forget', at: T + 60_001 }, [ended])).toMatchObject({ forgotten: [] })
  expect(decide(change, [ended, row({ name: 'lives' })])).toMatchObject({ forgotten: ['cust'] })
  expect(decide(change, [ended], { ...FREE, hasRows: true })).toMatchObject({ forgotten: [] })
})

describe('time', () => {
  const FATES: readonly [string, Partial<RuntimeSubscription>, number, number, string][] = [
    ['unverified for an hour', { verifiedAt: null }, 0, T + HOUR, 'ends'],
    ['unverified for less', { verifiedAt: null }, 0, T + HOUR - 1, 'lives'],
    ['for ever', {}, 0, T + 10_000 * HOUR, 'lives'],
    ['within the ttl', {}, HOUR, T + HOUR - 1, 'lives'],
    ['past the ttl', {}, HOUR, T + HOUR, 'lapsed'],
    ['past it, renewed', { renewedAt: T + HOUR }, HOUR, T + HOUR, 'lives'],
    ['past a second one', {}, HOUR, T + 2 * HOUR, 'ends'],
  ]
  test.each(FATES)('%s', (_, ...[changes, ttl, now, fate]) => expect(fateOf(row(changes), ttl, now)).toBe(fate))
})

test('one that is not verified is tested by the schedule, then by its last step, whoever tested it between', () => {
  const [second, minute] = [1_000, 60_000]
  // One look a second, as the tender has it: each test is made a moment after it is due.
  const tested = (retryMs: readonly number[], others: readonly number[], until: number): readonly number[] => {
    const made: number[] = []
    let lastTestAt: number | null = null
    for (let now = 0; now <= until; now += second) {
      if (others.includes(now)) lastTestAt = now
      if (!isTestDue({ addressedAt: 0, lastTestAt, firstMs: second, retryMs }, now)) continue
      made.push(now / second)
      lastTestAt = now
    }
    return made
  }
  expect(tested([5_000, 300_000], [], 11 * minute)).toEqual([1, 6, 306, 606])
  expect(tested([5_000, 300_000], [2_000, 3_000, 4_000], 11 * minute)).toEqual([1, 6, 306, 606])
  expect(tested([second], [], 2 * minute)).toEqual([1, 2, 62])
  expect(tested([], [], 2 * minute)).toEqual([1, 61])
  expect(isTestDue({ addressedAt: 0, lastTestAt: 1_000, firstMs: second, retryMs: [second] }, 90 * minute)).toBe(true)
})

test('whatever is done, nothing is sent that is not verified, allowed and alive, and no name is two subscriptions’', () => {
  const change = fc.oneof(
    fc.record({ owner: fc.constantFrom(null, 'a') }).map(({ owner }): RuntimeChange => ({ ...MAKE, owner })),
    fc
      .record({ isReaddressed: fc.boolean(), isRenewed: fc.boolean(), from: fc.nat(9) })
      .map((of): RuntimeChange => ({ ...ALTER, ...of })),
    fc.constantFrom<RuntimeChange>(
      verify(T),
      verify(T + 9),
      { kind: 'end', name: 'cust', at: T + 9 },
      { kind: 'forget', at: T },
    ),
    fc.constantFrom(null, 'file' as const, 'owner' as const, 'section' as const).map(judged),
  )
  const facts = fc.record({
    isOfFile: fc.boolean(),
    hasEndpoint: fc.boolean(),
    hasRows: fc.boolean(),
    hasWaiting: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(fc.tuple(change, facts), { maxLength: 30 }), (steps) => {
      const rows = new Map<string, RuntimeSubscription>()
      for (const [index, [each, about]] of steps.entries()) {
        const decision = decideRuntime({ subscriptions: [...rows.values()], nameFacts: () => about }, each, index + 1)
        if ('refusal' in decision) continue
        for (const written of decision.subscriptions) rows.set(written.name, written)
        for (const name of decision.forgotten) rows.delete(name)
        for (const { configured, enabled, subscription } of decision.endpoints) {
          const now = rows.get(subscription)
          const isSent = now?.endedAt === null && now.verifiedAt !== null && now.disabledBy === null
          expect(configured === 1 && enabled === 1).toBe(isSent)
        }
      }
    }),
    runs(100),
  )
})

test('every refusal has a case', () => {
  const refusals: readonly RuntimeRefusal[] = [
    'unknown',
    'stale',
    'name taken',
    'name of file',
    'name of another',
    'rows wait',
    'too many',
  ]
  expect(refusals.filter((refusal) => !CASES.some((each) => each[4] === refusal))).toEqual([])
})
