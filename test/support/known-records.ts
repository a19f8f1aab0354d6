import type { JsonObject } from '../../src/model/json.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { batch, sampleState, T, write } from '../store/samples.ts'

function shipment(id: string, status: string, about: Partial<RecordState> = {}): RecordState {
  return stateOf(id, { platform_shipment_id: id, status }, about)
}

function invoice(id: string, type: string): RecordState {
  return stateOf(id, { reference: id, type, status: 'available' }, { resource: 'invoice' })
}

function stateOf(id: string, record: JsonObject, about: Partial<RecordState>): RecordState {
  return sampleState(id, { seen: record, reported: record, ...about })
}

/** Fills a store with records of acme whose baselines are complete: shipments, one of them a draft and one removed, invoices and a credit note. */
export async function fillKnown(store: Store): Promise<void> {
  const records = [
    shipment('SHP-1', 'booked'),
    shipment('SHP-2', 'draft'),
    shipment('SHP-3', 'booked', { version: 4, lastEventId: 'evt_4' }),
    shipment('SHP-4', 'booked', { removedAt: T }),
    invoice('INV-1', 'invoice'),
    invoice('INV-2', 'invoice'),
    invoice('CN-1', 'credit_note'),
  ]
  await store.commit(batch({ records: records.map((state) => write(state)) }))
  for (const resource of ['shipment', 'invoice'] as const) {
    const state = await store.listState('acme', resource)
    await store.commit(batch({ list: { resource, state: { ...state, pass: 1, completedAt: T, baselinedAt: T } } }))
  }
}
