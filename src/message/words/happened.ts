import { field, textField, type Json } from '../../model/json.ts'
import { moment } from './moment.ts'
import { short, words } from './short.ts'

/** What a tracking event (`data.event`) says, and of which container: `Gate in of container MSCU1234567`. */
export function happening(event: Json | undefined): string {
  const container = textField(event, 'container_number')
  const what = textField(event, 'description') ?? 'An event'
  return container === null ? short(what) : `${short(what)} of container ${short(container)}`
}

/** When a tracking event is or was: `actual Sat 12 Dec 2026, 10:00 UTC`; '' where nothing is known. */
export function happened(event: Json | undefined): string {
  const status = textField(event, 'status')
  return [status === null ? '' : words(status), short(moment(field(event, 'date')))]
    .filter((each) => each !== '' && each !== '–')
    .join(' ')
}

/** Where a step takes place: ` at Shanghai (CNSHA)`; '' where it is not said. */
export function at(step: Json | undefined): string {
  const place = placeOf(step)
  return place === null ? '' : ` at ${place}`
}

/** The same without the word; null where it is not said. */
export function placeOf(step: Json | undefined): string | null {
  const [port, location] = [field(step, 'port'), field(step, 'location')]
  const unlocode = textField(port, 'unlocode')
  const place = textField(port, 'city') ?? textField(location, 'city') ?? textField(location, 'name')
  if (place === null) return unlocode === null ? null : short(unlocode)
  return unlocode === null ? short(place) : `${short(place)} (${short(unlocode)})`
}
