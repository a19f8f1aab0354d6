import { hash } from 'node:crypto'
import type { DeliveryDraft } from './delivery.ts'

const PREFIX = 'dlv_'
const INSTANT_DIGITS = 12
const HASH_DIGITS = 20

/**
 * Begins with the instant that the row is due at, so that the index of ids grows at its end: a hash alone would have each row written
 * to a page of its own.
 */
export function deliveryId({ eventId, subscription }: DeliveryDraft, dueAt: number): string {
  const instant = Math.max(0, Math.trunc(dueAt)).toString(16).padStart(INSTANT_DIGITS, '0')
  return `${PREFIX}${instant}${hash('sha256', `${eventId}\n${subscription}`).slice(0, HASH_DIGITS)}`
}

/** The instant that an id of a delivery begins with: when the row was made; 0: it is no such id. */
export function bornAt(id: string): number {
  return Number.parseInt(id.slice(PREFIX.length, PREFIX.length + INSTANT_DIGITS), 16) || 0
}
