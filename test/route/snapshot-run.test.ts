import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordResource } from '../../src/model/resource.ts'
import type { SnapshotProgress } from '../../src/model/snapshot-run.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import {
  fateOfRun,
  isRoutedByAll,
  judgeSlice,
  partsOf,
  progressAfter,
  sliceLooks,
  sliceRestMs,
  sliceRoom,
} from '../../src/route/snapshot-run.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { PEOPLES_CHANNEL } from '../deliver/channels/peoples-channel.ts'
import { subscription } from '../support/subscription.ts'
import { filter } from './samples.ts'

const ACCOUNTS = [
  { name: 'acme', watch: { shipments: {}, tracking: {}, invoices: {} } },
  { name: 'globex', watch: { shipments: {}, documents: {} } },
]

test.for([
  [['*'], ['acme shipment', 'acme tracking', 'acme invoice', 'globex shipment', 'globex document']],
  [['shipment.*'], ['acme shipment', 'globex shipment']],
  [
    ['shipment.departed', 'document.*'],
    ['acme shipment', 'globex shipment', 'globex document'],
  ],
  [['credit_note.created'], ['acme invoice']],
  [['account.*', 'location.*'], []],
] as const)('%j names what a run sends', ([events, parts]) => {
  const found = partsOf(subscription('erp', { events }), ACCOUNTS)
  expect(found.map(({ account, resource }) => `${account} ${resource}`)).toEqual(parts)
})

test('a run sends records of the accounts of its subscription, and of one resource where it is asked for', () => {
  const ofGlobex = subscription('erp', { events: ['*'], accounts: ['globex'] })
  expect(partsOf(ofGlobex, ACCOUNTS, 'shipment')).toEqual([{ account: 'globex', resource: 'shipment' }])
  expect(partsOf(ofGlobex, ACCOUNTS, 'invoice')).toEqual([])
})

test('a slice sends what `where` lets pass or cannot judge, of families that a pattern names', () => {
  const nowhere = filter('data.object.status == "nowhere"')
  const [shipment, invoice] = [sampleEvent('shipment.snapshot'), sampleEvent('invoice.snapshot')]
  const all = [shipment, null, invoice]
  expect(judgeSlice(subscription('erp', { events: ['*'] }), all)).toEqual({
    sent: [shipment, invoice],
    leftOut: 0,
    failures: [],
    looked: 3,
  })
  expect(judgeSlice(subscription('erp', { events: ['credit_note.*', 'shipment.*'] }), all).sent).toEqual([shipment])
  expect(judgeSlice(subscription('erp', { events: ['*'], filter: nowhere }), all)).toEqual({
    sent: [],
    leftOut: 2,
    failures: [],
    looked: 3,
  })
  expect(judgeSlice(subscription('erp', { events: ['*'] }), all, 1)).toMatchObject({ sent: [shipment], looked: 1 })
  const broken = { expression: 'broken', judge: () => ({ kind: 'failed', reason: 'no number' }) as const }
  const judged = judgeSlice(subscription('erp', { events: ['*'], filter: broken }), all)
  expect([judged.sent.length, judged.failures.map(({ reason }) => reason)]).toEqual([2, ['no number', 'no number']])
})

const webhook = (changes: Partial<Subscription> = {}) => subscription('erp', { events: ['*'], ...changes })
const PULL = {
  kind: 'pull',
  keepMs: 1,
  timeoutMs: 1,
  concurrency: 1,
  hidden: [],
  format: 'standard',
  payload: 'full',
} as const

test.each([
  ['of four places one is left', webhook(), [3, 2, 0, 0]],
  ['of one place none can be left', webhook({ channel: { ...webhook().channel, concurrency: 1 } }), [1, 0, 0, 0]],
  ['many places are not all taken', webhook({ channel: { ...webhook().channel, concurrency: 90 } }), [20, 19, 17, 11]],
  ['half of a rate is left', webhook({ rate: { requests: 4, perMs: 1_000 } }), [2, 1, 0, 0]],
  ['whoever pulls has all that waits', webhook({ channel: PULL }), [20, 20, 20, 20]],
])('a live row goes at once: %s', (_, of, rooms) => {
  expect([0, 1, 3, 9].map((ready) => sliceRoom(of, ready))).toEqual(rooms)
})

test('a run rests as long as a rate takes for twice as many rows', () => {
  expect(sliceRestMs(webhook({ rate: { requests: 4, perMs: 1_000 } }), 2)).toBe(1_000)
  expect(sliceRestMs(webhook(), 9)).toBe(0)
})

const looks = (of: Subscription, resource: RecordResource) => sliceLooks(of, { account: 'acme', resource }, 3)

test('where some may be left out, more are looked at than there is room for', () => {
  const filter = { expression: 'x', judge: () => ({ kind: 'match' }) as const }
  expect([looks(webhook(), 'shipment'), looks(webhook(), 'invoice'), looks(webhook({ filter }), 'shipment')]).toEqual([
    3, 50, 50,
  ])
})

test.each([
  ['alone, at once', { isInForce: true, processes: 1, now: 100 }, true],
  ['beside others, once they have followed', { isInForce: true, processes: 2, now: 3_099 }, false],
  ['beside others, three seconds later', { isInForce: true, processes: 2, now: 3_100 }, true],
  ['never by what another configuration says', { isInForce: false, processes: 1, now: 9_000 }, false],
  ['though the clock was set back', { isInForce: true, processes: 2, now: 50 }, true],
])('every worker routes for it: %s', (_, facts, isRouted) => {
  expect(isRoutedByAll({ begunAt: 100 }, facts)).toBe(isRouted)
})

test('a run ends with its parts, which come and go with the configuration', () => {
  const accounts = [
    { name: 'acme', watch: { shipments: {}, invoices: {} } },
    { name: 'blue', watch: { shipments: {} } },
  ]
  const ended = { account: 'acme', resource: 'shipment', after: 'z', sent: 2, leftOut: 0, endedAt: 7 } as const
  const half = { ...ended, resource: 'invoice', endedAt: null } as const
  const blue = { account: 'blue', resource: 'shipment', after: null, sent: 0, leftOut: 0, endedAt: null }
  const run = { isOrphaned: false, only: null, parts: [ended, half] }
  expect(fateOfRun(run, webhook(), accounts)).toEqual([half, blue])
  expect(fateOfRun(run, webhook({ accounts: ['acme'] }), accounts)).toEqual([half])
  expect(fateOfRun({ ...run, only: 'shipment' }, webhook({ accounts: ['acme'] }), accounts)).toBe('ended')
  expect(fateOfRun(run, webhook(), [])).toBe('ended')
  expect(fateOfRun(run, undefined, accounts)).toEqual([])
  expect(fateOfRun({ ...run, isOrphaned: true }, undefined, accounts)).toBe('cancelled')
  const slack = {
    kind: 'slack',
    url: 'https://x.example',
    hidden: [],
    ...PEOPLES_CHANNEL,
    timeoutMs: 1,
    concurrency: 1,
  } as const
  expect(fateOfRun(run, webhook({ channel: slack }), accounts)).toBe('cancelled')
})

test('slices of any size look at each record once, and then end', () => {
  const BEGUN: SnapshotProgress = {
    account: 'acme',
    resource: 'shipment',
    after: null,
    sent: 0,
    leftOut: 0,
    endedAt: null,
  }
  fc.assert(
    fc.property(
      fc.nat(60),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 61, maxLength: 61 }),
      (records, limits) => {
        const known = Array.from({ length: records }, (_, index) => String(index).padStart(3, '0'))
        const looked: string[] = []
        let progress = BEGUN
        for (const limit of limits) {
          const { after } = progress
          const ids = known.filter((id) => after === null || id > after).slice(0, limit)
          looked.push(...ids)
          progress = progressAfter(progress, { ids, isLast: ids.length < limit, sent: ids.length, leftOut: 0, at: 7 })
          if (progress.endedAt !== null) break
        }
        expect(looked).toEqual(known)
        expect(progress).toMatchObject({ sent: records, endedAt: 7, after: known.at(-1) ?? null })
      },
    ),
  )
})
