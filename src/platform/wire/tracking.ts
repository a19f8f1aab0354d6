import { z } from 'zod'
import { locationFields } from './location.ts'
import { dateWithTime, listOf, part, text } from './value.ts'

/** The tracking of a shipment. `status` and step `type` are free text: the interface names no values. */
export const trackingSchema = z.looseObject({
  platform_shipment_id: text,
  status: text,
  tracking_steps: listOf(
    part({
      type: text,
      location: part(locationFields),
      port: part({ unlocode: text, city: text, country: text }),
      events: listOf(part({ description: text, container_number: text, date: dateWithTime, status: text })),
    }),
  ),
  /** Decimal degrees as text. */
  ocean_coordinates: listOf(part({ latitude: text, longitude: text })),
})
