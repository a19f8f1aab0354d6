import { beforeEach, describe, expect, it } from 'vitest'
import { draftsOf, matchedSince, notDeliveredSince } from '../../src/operate/backfill.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import { routeBatch } from '../../src/poll/committer.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { event, HOUR, T } from '../route/samples.ts'
import { success } from '../store/samples.ts'
import { StoreFile } from '../support/store-file.ts'
import { subscription } from '../support/subscription.ts'

const ERP = subscription('erp', { events: ['shipment.*'], minShiftMs: 12 * HOUR })

function side(hours: number) {
  return { date: formatInstant(T + hours * HOUR), status: 'estimated' }
}

describe('a backfill of a subscription with `min_shift`', () => {
  let store: Store

  beforeEach(async () => {
    const file = new StoreFile()
    store = file.store
    await store.syncSubscriptions([{ name: 'erp', enabled: true, minShiftMs: ERP.minShiftMs }], T)
    return async () => file[Symbol.asyncDispose]()
  })

  /** The arrival moves, in hours from T; the event rings at hour n. Returns whether `erp` is sent it. */
  async function moved(n: number, [from, to]: readonly [number, number], matchedBy: readonly Subscription[] = [ERP]) {
    const draft = event(`evt_${n}`, 'shipment.eta_changed', {
      timestamp: T + n * HOUR,
      subject: { resource: 'shipment', id: 'SHP-1', version: n, previousEventId: null },
      changes: [],
      object: {},
      extras: { date_change: { milestone: 'arrival', from: side(from), to: side(to) } },
    })
    const routed = await routeBatch('acme', { events: [draft] }, { subscriptions: matchedBy, store })
    await store.commit(routed)
    return routed.deliveries.length > 0
  }

  async function deliver(): Promise<void> {
    const claim = { owner: 'me', now: T + 1_000 * HOUR, leaseMs: 1_000, slots: new Map([['erp', 9]]) }
    const rows = await store.claim(claim)
    await store.settle(
      'me',
      rows.map(({ id }) => ({ id, attempt: success(), result: { kind: 'delivered' } })),
    )
  }

  /** Makes what is missing, as the command does; returns the ids of its events. */
  async function backfill(since: number): Promise<readonly string[]> {
    const ids: string[] = []
    for await (const { events, dates } of notDeliveredSince(store, ERP, since)) {
      ids.push(...events.map(({ id }) => id))
      await store.backfill({ deliveries: draftsOf(events, ERP), dates, at: T })
    }
    return ids
  }

  it('counts what was delivered', async () => {
    const sent = [
      await moved(1, [0, 13]),
      await moved(2, [13, 20]),
      await moved(3, [20, 26]),
      await moved(4, [26, 33]),
      await moved(5, [33, 30]),
    ]
    expect(sent).toEqual([true, false, true, false, false])
    await deliver()
    expect(await backfill(T)).toEqual([])
  })

  it('compares with what was sent before its beginning', async () => {
    expect([await moved(1, [0, 13]), await moved(2, [13, 24]), await moved(3, [24, 12])]).toEqual([true, false, false])
    await deliver()
    expect(await backfill(T + 2.5 * HOUR)).toEqual([])
  })

  it('does not count what was missed before its beginning, where it makes no rows', async () => {
    await moved(1, [0, 13], [])
    await moved(2, [13, 20], [])
    expect(await backfill(T + 1.5 * HOUR)).toEqual(['evt_2'])
  })

  it('is what the next event is compared with, and finds nothing to do when asked again', async () => {
    await moved(1, [0, 20], [])
    await moved(2, [20, 25], [])
    expect(await backfill(T)).toEqual(['evt_1'])
    await deliver()
    expect(await backfill(T)).toEqual([])
    expect(await moved(3, [25, 33])).toBe(true)
  })

  it('remembers from where a drift began that was not sent', async () => {
    await moved(1, [0, 5], [])
    expect(await backfill(T)).toEqual([])
    expect(await moved(2, [5, 13])).toBe(true)
  })

  it('shows what would have been heard since an instant as the events before it leave it', async () => {
    await moved(1, [0, 13], [])
    await moved(2, [13, 20], [])
    await moved(3, [20, 26], [])
    const matched: string[] = []
    for await (const events of matchedSince(store, ERP, T + 1.5 * HOUR)) matched.push(...events.map(({ id }) => id))
    expect(matched).toEqual(['evt_3'])
  })
})
