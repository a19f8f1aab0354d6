import { z } from '@hono/zod-openapi'
import { MILESTONES } from '../../model/shipment.ts'
import { RECORD_RESOURCES } from '../../model/resource.ts'
import { anyObjectOrNull, instant, instantOrNull, text, textOrNull, whole } from './parts.ts'

/** Records, as answers show them. */

const summary = {
  account: text,
  resource: z.enum(RECORD_RESOURCES),
  id: text,
  name: textOrNull,
  status: textOrNull,
  removed: instantOrNull.openapi({ description: 'When it was learnt that it is gone.' }),
  version: whole,
  last_read_at: instant,
  last_event_at: instantOrNull,
}

export const record = z.object(summary).openapi('Record')

const values = z.array(
  z.looseObject({
    date: textOrNull,
    status: textOrNull,
    told_at: instantOrNull.openapi({
      description: 'When the event that reported it rang; null: it was learnt silently.',
    }),
  }),
)

export const recordDetail = z
  .looseObject({
    ...summary,
    object: anyObjectOrNull.openapi({ description: 'As the platform sent it.' }),
    dates: z
      .object({ pickup: values, departure: values, arrival: values, delivery: values })
      .partial()
      .openapi({ description: 'Of a shipment: the values that its dates had, oldest first.' }),
  })
  .openapi('RecordDetail')

export const slip = z
  .looseObject({
    account: text,
    shipment: text,
    name: textOrNull,
    milestone: z.enum(MILESTONES),
    first: instant,
    now: instant,
    drift_minutes: whole,
    revisions: whole,
  })
  .openapi('Slip')
