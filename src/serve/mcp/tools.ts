import type { Tool } from './tool.ts'
import { acknowledgeException } from './tools/acknowledge-exception.ts'
import { explainEvent } from './tools/explain-event.ts'
import { findShipments } from './tools/find-shipments.ts'
import { getOrder } from './tools/get-order.ts'
import { getShipment } from './tools/get-shipment.ts'
import { getStatus } from './tools/get-status.ts'
import { listChanges } from './tools/list-changes.ts'
import { listExceptions } from './tools/list-exceptions.ts'
import { listInvoicesDue } from './tools/list-invoices-due.ts'
import { retryDelivery } from './tools/retry-delivery.ts'
import { subscribe } from './tools/subscribe.ts'
import { unsubscribe } from './tools/unsubscribe.ts'

/** Every tool, in the order in which assistants are shown them. */
export const TOOLS: readonly Tool[] = [
  findShipments,
  getShipment,
  listChanges,
  listExceptions,
  listInvoicesDue,
  getOrder,
  explainEvent,
  getStatus,
  acknowledgeException,
  retryDelivery,
  subscribe,
  unsubscribe,
]
