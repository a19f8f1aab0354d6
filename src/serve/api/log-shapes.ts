import { z } from '@hono/zod-openapi'
import { DELIVERY_STATES } from '../../model/delivery.ts'
import { anyObject, anyObjectOrNull, instant, instantOrNull, text, textOrNull, whole, wholeOrNull } from './parts.ts'

/** What the log and the ledger hold, as answers show it. */

export const RESOURCES = [
  'shipment',
  'tracking',
  'invoice',
  'document',
  'purchase_order',
  'location',
  'order_preparation',
] as const
export const SUBJECTS = [...RESOURCES, 'account', 'subscription'] as const

const change = z
  .object({
    path: text.openapi({ description: 'A JSON Pointer into `object`; with `removed` into the record as it was.' }),
    from: z.unknown(),
    to: z.unknown(),
    removed: z.literal(true).optional(),
  })
  .openapi('Change')

const data = z
  .looseObject({
    object: anyObject.optional(),
    previous: anyObject.optional(),
    changes: z.array(change).optional(),
    shipment: anyObject.optional(),
    date_change: anyObject.optional(),
  })
  .openapi({ description: 'What the event is about. Each type adds what docs/reference/events.md says.' })

/** A payload of `format: standard`. */
export const payload = z
  .object({
    id: text.openapi({ example: 'evt_0123456789abcdef' }),
    type: text.openapi({ example: 'shipment.eta_changed' }),
    timestamp: instant,
    account: textOrNull,
    sequence: whole,
    subject: z.object({ resource: z.enum(SUBJECTS), id: text, version: whole, previous_event_id: textOrNull }),
    observed: z.object({ not_before: instantOrNull, not_after: instant }).nullable(),
    cause: z.enum(['change', 'calendar', 'correction', 'replay', 'test']),
    data,
    truncated: z.literal(true).optional().openapi({ description: 'It was too large: it is sent without the record.' }),
    expired: z.literal(true).optional().openapi({ description: 'The payload has expired: `data` is empty.' }),
  })
  .openapi('Payload')

const ledgerRow = {
  id: textOrNull.openapi({ example: 'dlv_0123456789abcdef' }),
  event_id: text,
  type: text,
  account: textOrNull,
  subscription: text,
  state: z.enum(DELIVERY_STATES).nullable(),
  attempts: whole,
  next_attempt_at: instantOrNull,
  last_status: wholeOrNull,
  last_error: textOrNull,
}

export const delivery = z.object(ledgerRow).openapi('Delivery')

const attempt = z
  .object({ at: instant, duration_ms: z.number(), status: wholeOrNull, error: textOrNull, answer: textOrNull })
  .openapi('Attempt')

export const deliveryWithAttempts = z
  .object({ ...ledgerRow, tried: z.array(attempt) })
  .openapi('DeliveryWithAttempts', { description: 'A row of the ledger, and every attempt of it that is kept.' })

const reference = z.object({ id: text, type: text, timestamp: instant, sequence: whole }).openapi('EventReference')

export const story = z
  .object({
    payload,
    rule: text,
    edge: anyObjectOrNull,
    seen: anyObjectOrNull,
    changes: z.array(change).nullable(),
    before: anyObjectOrNull,
    after: anyObjectOrNull,
    corrects: reference.nullable(),
    corrected_by: z.array(reference),
    previous: reference.nullable(),
    next: reference.nullable(),
    deliveries: z.array(deliveryWithAttempts),
  })
  .openapi('EventStory', { description: 'As `events show --json`; docs/reference/json-output.md says what it holds.' })
