import { field, textField, type Json } from '../../model/json.ts'
import { filled, type Wording } from '../wording/wording.ts'
import { isSameMoment, moment } from './moment.ts'
import { portText } from './port.ts'
import { short, words } from './short.ts'

/** What a tracking event (`data.event`) says, and of which container: `Gate in of container MSCU1234567`. */
export function happening(event: Json | undefined, { terms }: Wording): string {
  const container = textField(event, 'container_number')
  const what = short(textField(event, 'description') ?? terms.tracking.anEvent)
  return container === null ? what : filled(terms.tracking.ofContainer, { what, container: short(container) })
}

/** When a tracking event is or was: `actual Sat 12 Dec 2026, 10:00 UTC`; '' where nothing is known. */
export function happened(event: Json | undefined, wording: Wording): string {
  const status = textField(event, 'status')
  return [status === null ? '' : words(status, wording), short(moment(field(event, 'date'), wording))]
    .filter((each) => each !== '' && each !== '–')
    .join(' ')
}

/** What was said before of the event of `data`, where that is another date or status: a date that is the same is not repeated. */
export function before(data: Json | undefined, wording: Wording): string {
  const [event, previous] = [field(data, 'event'), field(data, 'previous_event')]
  const was = happened(previous, wording)
  if (was === happened(event, wording)) return ''
  return isSameMoment(event, previous) ? happened({ status: field(previous, 'status') ?? null }, wording) : was
}

/** Where a step takes place: ` at Shanghai (CNSHA)`; '' where it is not said. */
export function at(step: Json | undefined, { terms }: Wording): string {
  const place = placeOf(step)
  return place === null ? '' : filled(terms.tracking.at, { place })
}

/** The place of a step without the word before it; null where it is not said. */
export function placeOf(step: Json | undefined): string | null {
  const [port, location] = [field(step, 'port'), field(step, 'location')]
  const unlocode = textField(port, 'unlocode')
  const place = textField(port, 'city') ?? textField(location, 'city') ?? textField(location, 'name')
  if (unlocode !== null) return portText(unlocode, place)
  return place === null ? null : short(place)
}
