import { z } from 'zod'
import { flag, listOf, number, part, text } from './value.ts'

/** A location stands alone (endpoints 10 and 11) and inside tracking steps. */
export const locationFields = {
  id: number,
  company_name: text,
  name: text,
  address: text,
  city: text,
  zip_code: number,
  country: text,
  contacts: listOf(part({ name: text, email: text, phone: number })),
  opening_hours: text,
  requires_appointment: flag,
  requires_tailgate_truck: flag,
  additional_information: text,
}

export const locationSchema = z.looseObject(locationFields)
