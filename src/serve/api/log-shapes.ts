import { z } from '@hono/zod-openapi'
import { DELIVERY_STATES } from '../../model/delivery.ts'
import { RECORD_RESOURCES } from '../../model/resource.ts'
import {
  anyObject,
  SCHEMAS,
  anyObjectOrNull,
  instant,
  instantOrNull,
  text,
  textOrNull,
  whole,
  wholeOrNull,
} from './parts.ts'

/** What the log and the ledger hold, as answers show it. */

export const SUBJECTS = [...RECORD_RESOURCES, 'account', 'subscription', 'configuration'] as const

/** The parts of payloads are defined in `model/payload-schema/`. */
const change = anyObject.openapi({ type: 'object', allOf: [{ $ref: `${SCHEMAS}Change` }] })

/** A payload of `format: standard`. */
export const payload = anyObject.openapi('Payload', {
  type: 'object',
  description: 'The webhooks of this document say what `data` holds.',
  allOf: [
    { $ref: `${SCHEMAS}Envelope` },
    {
      type: 'object',
      properties: { expired: { const: true, description: 'The payload has expired: `data` is empty.' } },
    },
  ],
})

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
