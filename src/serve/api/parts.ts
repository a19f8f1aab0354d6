import { z } from '@hono/zod-openapi'
import type { JsonObject } from '../../model/json.ts'
import { readPointInTime } from '../../model/point-in-time.ts'
import { EVENT_GLOB } from '../../model/types-like.ts'

/** What schemas of requests and answers are made of. */

export const instant = z.string().openapi({ format: 'date-time', example: '2026-11-21T08:00:02.119Z' })
export const instantOrNull = instant.nullable()
export const text = z.string()
export const textOrNull = z.string().nullable()
export const whole = z.int()
export const wholeOrNull = z.int().nullable()

/** Any object: a record as the platform sent it, for example. */
export const anyObject = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null)
  .openapi({ type: 'object', additionalProperties: true })

export const anyObjectOrNull = z.custom<JsonObject | null>().openapi({ type: ['object', 'null'] })

/** Where the document keeps schemas that have a name. */
export const SCHEMAS = '#/components/schemas/'

/** A part of a list. */
export function listOf(item: z.ZodType) {
  return shown(
    z.object({
      items: z.array(item),
      next: textOrNull.openapi({ description: 'Where the next part begins, for `cursor`; null: nothing follows.' }),
    }),
  )
}

const NAME = 'must be a name: a-z, 0-9, - and _, beginning with a letter or digit, at most 64 characters'
export const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, NAME)

export const accountName = name.openapi({ description: 'The name of an account.' })
export const subscriptionName = name.openapi({ description: 'The name of a subscription.' })

const LIMIT = 'must be a whole number from 1 to 200'
const limit = z
  .string()
  .regex(/^(?:[1-9]\d?|1\d\d|200)$/, LIMIT)
  .transform(Number)
  .optional()
  .openapi({ type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'How many items, at most.' })

export const DEFAULT_LIMIT = 50

const cursor = z
  .string()
  .regex(/^[\w-]{1,4096}$/, 'must be `next` of the part before')
  .optional()
  .openapi({ description: '`next` of the part before.' })

export const paging = { limit, cursor }

const TIME = 'must be an ISO date-time, a date, or a duration ago, such as 2026-11-21T08:00:00Z, 2026-11-21 or 24h'
export const time = z
  .string()
  .refine((value) => readPointInTime(value, 0) !== null, TIME)
  .openapi({ description: 'An ISO date-time, a date, or a duration ago.', example: '24h' })

const TYPE = 'must be an event type, or a glob such as shipment.* or *.created'
export const eventType = z.string().regex(EVENT_GLOB, TYPE)

/** How many characters an id has at most. */
export const LONGEST_ID = 1_024

/** An id, as the platform or Shipbell made it. */
export const id = z.string().min(1).max(LONGEST_ID).openapi({ description: 'Its id; in a path percent-encoded.' })

/** The shape of an answer, for the document: answers are made by `report/`, and not looked at again. */
export function shown(schema: z.ZodType) {
  return schema.transform((): JsonObject => ({}))
}

/** A parameter that may be given several times. */
export function oneOrMore<S extends z.ZodType>(one: S, words?: readonly string[]) {
  const items = words === undefined ? { type: 'string' as const } : { type: 'string' as const, enum: [...words] }
  return z
    .union([one.transform((value) => [value]), z.array(one)])
    .optional()
    .openapi({ type: 'array', items })
}
