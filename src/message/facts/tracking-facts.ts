import { field, textField, type Json } from '../../model/json.ts'
import { placeOf } from '../words/happened.ts'
import { moment } from '../words/moment.ts'
import { words } from '../words/short.ts'
import { fact, wordsOf, type MaybeFact } from './fact.ts'

/** What happened to which container, where and when, and what was said of it before. */
export function trackingFacts(data: Json | undefined): readonly MaybeFact[] {
  const [now, before] = [field(data, 'event'), field(data, 'previous_event')]
  const event = textField(now, 'description') === null && now === null ? before : now
  return [
    fact('Event', textField(event, 'description')),
    fact('Container', textField(event, 'container_number')),
    fact('Place', placeOf(field(data, 'step'))),
    fact('When', whenOf(now)),
    fact('Before', whenOf(before)),
    fact('Position', positionOf(field(data, 'position'))),
    fact('Tracking', wordsOf(field(field(data, 'object'), 'status'))),
  ]
}

function whenOf(event: Json | undefined): string | null {
  const date = moment(field(event, 'date'))
  const status = textField(event, 'status')
  return [date, status === null ? '' : words(status)].filter((each) => each !== '').join(', ')
}

function positionOf(position: Json | undefined): string | null {
  const [latitude, longitude] = [textField(position, 'latitude'), textField(position, 'longitude')]
  return latitude === null || longitude === null ? null : `${latitude}, ${longitude}`
}
