import type { ExpectedSubject } from '../model/expectation.ts'
import type { ExpectationView } from '../route/expectation/expectation-view.ts'
import { DOCUMENT, INVOICE, ORDER, SHIPMENT, TRACKING } from './records.ts'

/** The records of the small world that samples are of, as expectations about a subject see them. */
export function sampleView(about: ExpectedSubject): ExpectationView {
  const at = Date.parse('2026-11-21T08:00:00Z')
  const changedAt = { shipment: at, tracking: at, document: at, invoice: at, purchase_order: at }
  return { records: RECORDS[about], changedAt, timeZone: 'UTC' }
}

const RECORDS: Readonly<Record<ExpectedSubject, ExpectationView['records']>> = {
  shipment: { shipment: SHIPMENT, tracking: TRACKING, documents: [DOCUMENT], invoices: [INVOICE], orders: [ORDER] },
  purchase_order: { order: ORDER, shipments: [SHIPMENT] },
  invoice: { invoice: INVOICE, shipment: SHIPMENT },
}
