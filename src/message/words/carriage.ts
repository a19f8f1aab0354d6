import { textField, type Json } from '../../model/json.ts'
import { short } from './short.ts'

/** `{vessel, voyage, flight_number}` of a booking: `Ever Given, voyage 12E`. */
export function carriage(means: Json | undefined): string {
  const [vessel, voyage, flight] = [
    textField(means, 'vessel'),
    textField(means, 'voyage'),
    textField(means, 'flight_number'),
  ]
  const parts = [vessel, voyage === null ? null : `voyage ${voyage}`, flight === null ? null : `flight ${flight}`]
  return short(parts.filter((each) => each !== null).join(', '))
}
