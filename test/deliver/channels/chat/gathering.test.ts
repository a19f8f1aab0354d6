import { describe, expect, it } from 'vitest'
import { formGatheredBatches } from '../../../../src/deliver/channels/chat/gathering.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import type { ClaimedDelivery } from '../../../../src/store/ports/delivery-port.ts'
import { sampleEvent } from '../../sample-event.ts'

const NOW = Date.UTC(2026, 10, 21, 8)
const SECOND = 1_000

interface Waiting extends Partial<Pick<ShipbellEvent, 'account' | 'cause'>> {
  readonly age: number
  readonly resource?: 'shipment' | 'invoice' | 'subscription'
  readonly attempts?: number
  /** How many records they are about; left out: each about one of its own. */
  readonly records?: number
}

function waiting(
  count: number,
  { age, resource = 'shipment', attempts = 0, records = count, ...event }: Waiting,
): ClaimedDelivery[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `dlv_${index}`,
    subscription: 'ops',
    attempts,
    dueAt: NOW - age,
    rangAt: NOW - age,
    event: sampleEvent({
      timestamp: NOW - age,
      subject: { resource, id: `${resource}-${age}-${index % records}`, version: 1, previousEventId: null },
      ...event,
    }),
  }))
}

function packed(
  all: readonly ClaimedDelivery[],
  forced = false,
): { batches: readonly number[]; waitUntil: number | null } {
  const { batches, waitUntil } = formGatheredBatches(all, { now: NOW, forced })
  return { batches: batches.map(({ length }) => length), waitUntil: waitUntil === null ? null : waitUntil - NOW }
}

describe('what waits for a chat', () => {
  it('goes one by one up to five, together from six on', () => {
    expect(packed(waiting(5, { age: 5 * SECOND }))).toEqual({ batches: [1, 1, 1, 1, 1], waitUntil: null })
    expect(packed(waiting(6, { age: 5 * SECOND }))).toEqual({ batches: [6], waitUntil: null })
    expect(packed([])).toEqual({ batches: [], waitUntil: null })
  })

  it('goes together with what else became of its shipment', () => {
    expect(packed(waiting(9, { age: 5 * SECOND, records: 2 }))).toEqual({ batches: [5, 4], waitUntil: null })
  })

  it('waits until no more has come for five seconds, or sixty after the first', () => {
    const wave = [...waiting(3, { age: 40 * SECOND }), ...waiting(4, { age: SECOND })]
    expect(packed(wave)).toEqual({ batches: [], waitUntil: 4 * SECOND })
    expect(packed([...waiting(1, { age: 58 * SECOND }), ...wave])).toEqual({ batches: [], waitUntil: 2 * SECOND })
    expect(packed([...waiting(1, { age: 60 * SECOND }), ...wave])).toEqual({ batches: [8], waitUntil: null })
  })

  it('is told apart by account and by kind of record, and the one does not wait for the other', () => {
    const all = [
      ...waiting(6, { age: 10 * SECOND }),
      ...waiting(6, { age: 2 * SECOND, account: 'globex' }),
      ...waiting(2, { age: SECOND, resource: 'invoice' }),
      ...waiting(1, { age: 10 * SECOND, resource: 'invoice', account: 'globex' }),
    ]
    expect(packed(all)).toEqual({ batches: [6, 1], waitUntil: 3 * SECOND })
  })

  it('goes oldest first, whatever it is about', () => {
    const [first, third, fifth] = waiting(3, { age: 10 * SECOND })
    const [second, fourth] = waiting(2, { age: 10 * SECOND, resource: 'invoice' })
    const all = [first, second, third, fourth, fifth].filter((each) => each !== undefined)
    expect(formGatheredBatches(all, { now: NOW, forced: false }).batches.flat()).toEqual(all)
  })

  it('does not wait where it was asked for by command', () => {
    expect(packed([...waiting(6, { age: 0 }), ...waiting(2, { age: 0, resource: 'invoice' })], true)).toEqual({
      batches: [6, 1, 1],
      waitUntil: null,
    })
  })

  it('is repeated at once as it was, without what came later', () => {
    expect(packed([...waiting(7, { age: SECOND, attempts: 1 }), ...waiting(3, { age: SECOND })])).toEqual({
      batches: [7],
      waitUntil: 4 * SECOND,
    })
  })

  it('never waits with a test, nor tells it with others', () => {
    const tests = waiting(7, { age: 0, cause: 'test', resource: 'subscription', account: null })
    expect(packed(tests)).toEqual({ batches: [1, 1, 1, 1, 1, 1, 1], waitUntil: null })
  })

  it('lets a test pass, for which somebody waits', () => {
    const [test] = waiting(1, { age: 0, cause: 'test', resource: 'subscription', account: null })
    const others = waiting(3, { age: 10 * SECOND })
    const all = [...others, test].filter((each) => each !== undefined)
    expect(formGatheredBatches(all, { now: NOW, forced: false }).batches.flat()).toEqual([test, ...others])
  })

  it('does not wait for a clock that has gone back', () => {
    expect(packed(waiting(6, { age: -86_400 * SECOND }))).toEqual({ batches: [6], waitUntil: null })
  })
})
