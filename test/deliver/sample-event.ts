import type { Batch } from '../../src/deliver/batches.ts'
import type { ShipbellEvent } from '../../src/model/event.ts'
import type { ClaimedDelivery } from '../../src/store/ports/delivery-port.ts'

export function sampleEvent(overrides: Partial<ShipbellEvent> = {}): ShipbellEvent {
  return {
    id: 'evt_0001',
    type: 'shipment.status_changed',
    account: 'acme',
    sequence: 1042,
    subject: { resource: 'shipment', id: 'SHP-1', version: 17, previousEventId: 'evt_0000' },
    timestamp: Date.UTC(2026, 10, 21, 8, 0, 2, 119),
    observed: { notBefore: Date.UTC(2026, 10, 21, 7, 58, 2, 4), notAfter: Date.UTC(2026, 10, 21, 8, 0, 2, 119) },
    cause: 'change',
    object: { platform_shipment_id: 'SHP-1', status: 'booked', name: 'Ünïcode ☃' },
    before: { platform_shipment_id: 'SHP-1', status: 'draft', name: 'Ünïcode ☃' },
    changes: [{ path: '/status', from: 'draft', to: 'booked' }],
    shipment: {
      id: 'SHP-1',
      name: 'Ünïcode ☃',
      status: 'booked',
      freight_mode: 'ocean',
      purchase_order_references: [],
      container_numbers: [],
      master_bill: null,
      house_bill: null,
    },
    extras: { from: 'draft', to: 'booked', regression: false },
    ...overrides,
  }
}

/** One delivery, as a webhook sends it. */
export function sampleBatch(overrides: Partial<ClaimedDelivery> = {}): Batch {
  const event = sampleEvent()
  return [
    {
      id: 'dlv_0001',
      subscription: 'erp',
      attempts: 0,
      dueAt: event.timestamp,
      rangAt: event.timestamp,
      event,
      ...overrides,
    },
  ]
}
