import { expect, test } from 'vitest'
import type { RecordSummary } from '../../src/store/ports/record-query-port.ts'
import { atHand, atOnce } from '../../src/store/reports/lookup.ts'
import { writeCursor } from '../../src/store/reports/ranges.ts'
import { sortedFinds } from '../../src/store/reports/sorted-finds.ts'

const ORDER = { by: 'name', isDescending: false } as const

function summary(name: string): RecordSummary {
  const unknown = { removedAt: null, lastEventAt: null, dueOn: null, carrier: null, lane: null, kind: null }
  const key = { account: 'acme', resource: 'shipment', id: name } as const
  return {
    ...key,
    ...unknown,
    name,
    status: null,
    version: 1,
    lastReadAt: 0,
    isOpen: true,
    etaAt: null,
    drift: null,
    totals: null,
  }
}

/** What is found is in no order; who walks is said by a name. */
function finds(amount: number, reach = amount) {
  const all = Array.from({ length: amount }, (_, nth) => summary(String(amount - nth).padStart(5, '0')))
  return sortedFinds<null>({
    reach: (_, __, most) => atHand(Math.min(reach, most)),
    search: (_, { cursor = '0', limit }) => {
      const [from, to] = [Number(cursor), Number(cursor) + limit]
      return atHand({ items: all.slice(from, to), next: to < all.length ? String(to) : null })
    },
    walk: () => atHand({ items: [summary('walked')], next: null }),
  })
}

function ask(amount: number, { cursor, reach }: { readonly reach?: number; readonly cursor?: string } = {}) {
  const query = {
    resource: 'shipment',
    q: 'x',
    order: ORDER,
    limit: 2,
    ...(cursor !== undefined && { cursor }),
  } as const
  const { items, next } = atOnce(finds(amount, reach)(null, query))
  return { names: items.map(({ name }) => name), next }
}

test('few finds are sorted, page by page', () => {
  const { names, next } = ask(300)
  expect(names).toEqual(['00001', '00002'])
  expect(ask(300, { cursor: next ?? '' }).names).toEqual(['00003', '00004'])
  expect(ask(2)).toEqual({ names: ['00001', '00002'], next: null })
})

test('many are met by whoever walks, who goes on walking', () => {
  expect(ask(1_001).names).toEqual(['walked'])
  expect(ask(5, { cursor: writeCursor('shipment name', [0, '', 1]) }).names).toEqual(['walked'])
})

test('many that wait for the index, which counts none, are walked, too', () => {
  expect(ask(1_300, { reach: 0 }).names).toEqual(['walked'])
})

test('a cursor of a search that finds few is none of one that finds many', () => {
  const cursor = ask(300).next ?? ''
  expect(ask(1_300, { cursor }).names).toEqual(['00003', '00004'])
  expect(() => ask(3_300, { cursor })).toThrow('The cursor is none of this list')
})
