import { hash } from 'node:crypto'
import type { DeliveryDraft } from '../../model/delivery.ts'
import type { SubjectResource } from '../../model/resource.ts'

const INSTANT_DIGITS = 12
const HASH_DIGITS = 20

/**
 * Begins with the instant that the row is due at, so that the index of ids grows at its end: a hash alone would have each row written
 * to a page of its own.
 */
export function deliveryId({ eventId, subscription }: DeliveryDraft, dueAt: number): string {
  const instant = Math.max(0, Math.trunc(dueAt)).toString(16).padStart(INSTANT_DIGITS, '0')
  return `dlv_${instant}${hash('sha256', `${eventId}\n${subscription}`).slice(0, HASH_DIGITS)}`
}

const HEX_DIGITS = 12

/** What a lane is made of. */
interface Heading {
  readonly account: string | null
  readonly subject: { readonly resource: SubjectResource; readonly id: string }
}

/**
 * The number that stands for the account and subject of an event: a subscription with `order: subject` gets the events of
 * one lane in their order. Two subjects that share a number by chance take turns with each other, and nothing else happens.
 */
export function laneOf({ account, subject }: Heading): number {
  const name = JSON.stringify([account, subject.resource, subject.id])
  return Number.parseInt(hash('sha256', name).slice(0, HEX_DIGITS), 16)
}
