import { expect, test } from 'vitest'
import type { Watchable } from '../../src/model/resource.ts'
import { areOthersInDoubt, inARow, nextWitness, type Doubt } from '../../src/plan/outage.ts'

function doubt(watch: Watchable, sentAt = 0, answeredAt = sentAt): Doubt {
  return { watch, sentAt, answeredAt }
}

test.each<[string, readonly Watchable[], boolean]>([
  ['nothing failed', [], false],
  ['it failed itself, again and again', ['shipments', 'shipments'], false],
  ['another failed', ['invoices'], true],
  ['both failed', ['shipments', 'invoices'], true],
])('others than shipments are in doubt: %s', (_, failed, expected) => {
  expect(
    areOthersInDoubt(
      failed.map((watch) => doubt(watch)),
      'shipments',
    ),
  ).toBe(expected)
})

interface WitnessCase {
  readonly who: string
  readonly failed: readonly Watchable[]
  readonly asked: readonly Watchable[]
  readonly expected: Watchable | null
}

test.each<WitnessCase>([
  { who: 'the one that answered last', failed: ['shipments'], asked: [], expected: 'documents' },
  { who: 'not one that has failed since', failed: ['shipments', 'documents'], asked: [], expected: 'invoices' },
  {
    who: 'another, where one was asked in vain',
    failed: ['shipments', 'documents'],
    asked: ['documents'],
    expected: 'invoices',
  },
  {
    who: 'nobody, where three have failed',
    failed: ['shipments', 'documents', 'invoices'],
    asked: ['invoices'],
    expected: null,
  },
  {
    who: 'one at least, however many failed',
    failed: ['shipments', 'documents', 'invoices'],
    asked: [],
    expected: 'locations',
  },
  {
    who: 'another, where the one had nothing to ask for',
    failed: ['shipments'],
    asked: ['documents'],
    expected: 'invoices',
  },
  {
    who: 'nobody, where all have failed',
    failed: ['shipments', 'documents', 'invoices', 'locations'],
    asked: [],
    expected: null,
  },
])('a witness is $who', ({ failed, asked, expected }) => {
  const watched = ['shipments', 'invoices', 'documents', 'locations'] as const
  const lastAnswers = new Map<Watchable, number>([
    ['shipments', 9],
    ['invoices', 5],
    ['documents', 7],
  ])
  const doubts = failed.map((watch) => doubt(watch))
  expect(nextWitness({ asked: new Set(asked), doubts, lastAnswers, watched })).toBe(expected)
})

test('where nothing has answered yet, the first that is watched is asked', () => {
  const watched = ['shipments', 'invoices', 'documents'] as const
  const of = { asked: new Set<Watchable>(), lastAnswers: new Map<Watchable, number>() }
  expect(nextWitness({ ...of, doubts: [doubt('shipments')], watched })).toBe('invoices')
})

test.each<[string, readonly Doubt[], readonly number[]]>([
  ['nothing', [], []],
  ['one after the other', [doubt('shipments', 0, 1), doubt('shipments', 2, 3)], [0, 2]],
  ['in the order of asking', [doubt('invoices', 4), doubt('shipments', 0)], [0, 4]],
  ['in parallel', [doubt('shipments', 0, 3), doubt('invoices', 1, 2), doubt('documents', 2, 5)], [0]],
  ['at one instant', [doubt('shipments'), doubt('invoices'), doubt('shipments', 1)], [0, 1]],
])('failures in a row are those that came one after the other: %s', (_, doubts, expected) => {
  expect(inARow(doubts).map(({ sentAt }) => sentAt)).toEqual(expected)
})
