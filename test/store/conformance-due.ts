import { describe, expect, test } from 'vitest'
import { collectItems } from '../../src/model/page.ts'
import type { DueRange } from '../../src/model/due-choice.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { RecordQuery } from '../../src/store/ports/record-query-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { OpenStore } from './conformance.ts'
import { batch, sampleState, T, write } from './samples.ts'

export function describeDue(open: OpenStore): void {
  describe('invoices by due date', () => {
    test('show those that have yet to be paid, over accounts, the one that falls due first at the top', async () => {
      await using store = await open()
      await keep(store, 'acme', [due('A', '2026-12-01'), due('B', '2026-11-20'), due('C', '2026-11-30')])
      await keep(store, 'beta', [due('D', '2026-11-25'), due('E', '2026-12-01')])
      await keep(store, 'acme', [
        due('PAID', '2026-11-20', { status: 'paid' }),
        due('NOTE', '2026-11-20', { type: 'credit_note' }),
        due('NEVER', '2026-02-30'),
        due('NONE', null),
        { ...due('GONE', '2026-11-20'), removedAt: T },
      ])
      expect(await ids(store, {})).toEqual(['B', 'D', 'C', 'A', 'E'])
      expect(await ids(store, { limit: 1 })).toEqual(['B', 'D', 'C', 'A', 'E'])
      expect(await ids(store, { limit: 2, account: 'acme' })).toEqual(['B', 'C', 'A'])
      expect(await ids(store, { status: 'new' })).toEqual([])
      expect(await ids(store, { status: 'due', limit: 2 })).toEqual(['B', 'D', 'C', 'A', 'E'])
      expect(await ids(store, { q: 'c' })).toEqual(['C'])
      expect(await ids(store, { resource: 'shipment' })).toEqual([])
    })

    test('show those of a range of days, both included, which each account has for itself', async () => {
      await using store = await open()
      await keep(store, 'acme', [due('A', '2026-11-20'), due('B', '2026-11-21'), due('C', '2026-11-22')])
      await keep(store, 'beta', [due('D', '2026-11-20'), due('E', '2026-11-21')])
      expect(await ids(store, { due: () => range('2026-11-21', '2026-11-21') })).toEqual(['B', 'E'])
      expect(await ids(store, { due: () => range(null, '2026-11-20') })).toEqual(['A', 'D'])
      expect(await ids(store, { due: () => range('2026-11-22', null), limit: 1 })).toEqual(['C'])
      const ends = new Map([
        ['acme', '2026-11-20'],
        ['beta', '2026-11-21'],
      ])
      expect(await ids(store, { due: (account) => range(null, ends.get(account) ?? null), limit: 1 })).toEqual([
        'A',
        'D',
        'E',
      ])
    })

    test('follow what was read last', async () => {
      await using store = await open()
      await keep(store, 'acme', [due('A', '2026-11-20'), due('B', '2026-11-21')])
      await keep(store, 'acme', [{ ...due('A', '2026-11-30'), version: 1 }])
      expect(await ids(store, {})).toEqual(['B', 'A'])
      await keep(store, 'acme', [{ ...due('B', '2026-11-21', { status: 'paid' }), version: 1 }])
      expect(await ids(store, {})).toEqual(['A'])
    })

    test('say what they come to, an account at a time and page after page', async () => {
      await using store = await open()
      const lines = [{ price: { amount: 12.5, currency: 'EUR' } }]
      await keep(store, 'acme', [due('A', '2026-12-01', { lines }), due('B', '2026-11-20'), due('C', '2026-11-30')])
      await keep(store, 'acme', [
        due('PAID', '2026-11-20', { status: 'paid' }),
        { ...due('GONE', '2026-11-20'), removedAt: T },
      ])
      await keep(store, 'beta', [due('D', '2026-11-25')])
      const list = { resource: 'invoice', account: 'acme', due: any, limit: 9 } as const
      const expected = (await store.recordPage(list)).items.map(({ id, totals }) => ({ id, totals }))
      expect(expected.map(({ id }) => id)).toEqual(['B', 'C', 'A'])
      const asked = { account: 'acme', due: any() }
      for (const limit of [1, 2, 3, 9])
        expect(await collectItems(async (page) => await store.dueTotals({ ...asked, ...page, limit }))).toEqual(
          expected,
        )
      const later = await store.dueTotals({ account: 'acme', due: range('2026-11-21', '2026-11-30'), limit: 9 })
      expect(later).toMatchObject({ items: [{ id: 'C' }], next: null })
    })

    test('go on only by a cursor of their own', async () => {
      await using store = await open()
      await keep(store, 'acme', [due('A', '2026-11-20'), due('B', '2026-11-21')])
      const list = { resource: 'invoice', limit: 1 } as const
      const { next } = await store.recordPage(list)
      await expect(store.recordPage({ ...list, due: any, cursor: next ?? '' })).rejects.toMatchObject({
        code: 'bad_cursor',
      })
    })
  })
}

function any(): DueRange {
  return range(null, null)
}

function range(from: string | null, to: string | null): DueRange {
  return { from, to }
}

function due(id: string, date: string | null, more: JsonObject = {}): RecordState {
  const seen = { reference: id, type: 'invoice', status: 'due', due_date: date, ...more }
  return sampleState(id, { resource: 'invoice', seen, reported: seen })
}

async function keep(store: Store, account: string, states: readonly RecordState[]): Promise<void> {
  const records = states.map((state) => write(state, { expectedVersion: state.version === 0 ? null : 0 }))
  await store.commit(batch({ account, records }))
}

/** Page after page. */
async function ids(store: Store, query: Partial<RecordQuery>): Promise<readonly string[]> {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page = await store.recordPage({
      resource: 'invoice',
      limit: 9,
      due: any,
      ...query,
      ...(cursor !== null && { cursor }),
    })
    found.push(...page.items.map(({ id }) => id))
    cursor = page.next
  } while (cursor !== null)
  return found
}
