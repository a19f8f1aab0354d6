import { field, textField, type Json } from '../../model/json.ts'
import { moment } from './moment.ts'
import { short, words } from './short.ts'

/** A tracking event of `data.event`: `Gate in, container MSCU1234567, actual Sat 12 Dec 2026, 10:00 UTC`. */
export function happened(event: Json | undefined): string {
  const container = textField(event, 'container_number')
  const when = [words(field(event, 'status')), moment(field(event, 'date'))].filter(
    (each) => each !== '' && each !== '–',
  )
  const told = [textField(event, 'description'), container === null ? null : `container ${container}`, when.join(' ')]
  return short(told.filter((each) => each !== null && each !== '').join(', '))
}

/** Where a step takes place: ` at Shanghai (CNSHA)`; '' where it is not said. */
export function at(step: Json | undefined): string {
  const port = field(step, 'port')
  const unlocode = textField(port, 'unlocode')
  const place =
    textField(port, 'city') ?? textField(field(step, 'location'), 'city') ?? textField(field(step, 'location'), 'name')
  if (place === null) return unlocode === null ? '' : ` at ${short(unlocode)}`
  return unlocode === null ? ` at ${short(place)}` : ` at ${short(place)} (${short(unlocode)})`
}
