import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SnapshotProgress } from '../../src/model/snapshot-run.ts'
import { judgeSlice, partsOf, progressAfter, sliceRoom } from '../../src/route/snapshot-run.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
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
  })
  expect(judgeSlice(subscription('erp', { events: ['credit_note.*', 'shipment.*'] }), all).sent).toEqual([shipment])
  expect(judgeSlice(subscription('erp', { events: ['*'], filter: nowhere }), all)).toEqual({
    sent: [],
    leftOut: 2,
    failures: [],
  })
  const broken = { expression: 'broken', judge: () => ({ kind: 'failed', reason: 'no number' }) as const }
  const judged = judgeSlice(subscription('erp', { events: ['*'], filter: broken }), all)
  expect([judged.sent.length, judged.failures.map(({ reason }) => reason)]).toEqual([2, ['no number', 'no number']])
})

test('a live row never waits behind more than a handful, and what is pulled waits for nothing', () => {
  expect([0, 15, 20, 99].map((pending) => sliceRoom(pending, false))).toEqual([20, 5, 0, 0])
  expect(sliceRoom(99, true)).toBe(20)
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
          progress = progressAfter(progress, { ids, limit, sent: ids.length, leftOut: 0, at: 7 })
          if (progress.endedAt !== null) break
        }
        expect(looked).toEqual(known)
        expect(progress).toMatchObject({ sent: records, endedAt: 7, after: known.at(-1) ?? null })
      },
    ),
  )
})
