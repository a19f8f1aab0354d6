import { asText, field, type Json } from '../../model/json.ts'
import { canonicalScalar } from '../compare/scalar.ts'
import { ELSEWHERE, FOLDED, NUMBER, objectOf, sequenceOf, type Elements, type Shape } from '../compare/shape.ts'
import { LOCATION_SHAPE } from '../location/location-shape.ts'

const EVENTS: Elements = {
  order: 'set',
  of: objectOf({ description: FOLDED, container_number: FOLDED }),
  agreeing: [['date', 'status'], ['date']],
  dateField: 'date',
}

const STEPS: Elements = {
  order: 'set',
  of: objectOf({ location: LOCATION_SHAPE, events: ELSEWHERE }),
  key: stepKey,
  descriptive: ['location', 'port'],
  nested: { field: 'events', elements: EVENTS, key: eventKey },
}

/** What the fields of a tracking mean; positions are a track, so their order counts. */
export const TRACKING_SHAPE: Shape = objectOf({
  tracking_steps: { elements: STEPS },
  ocean_coordinates: sequenceOf(objectOf({ latitude: NUMBER, longitude: NUMBER })),
})

/** Step type and place: the port's UN/LOCODE, else the location's id. */
function stepKey(step: Json): string {
  const port = asText(field(field(step, 'port'), 'unlocode'))
  const place = port ?? asText(field(field(step, 'location'), 'id'))
  return JSON.stringify([asText(field(step, 'type')), canonicalScalar('identifier', place)])
}

/** Tracking events have no id: step type, place, description and container stand for it (guarantee D3). */
function eventKey(step: Json, event: Json): string {
  const folded = (name: string): string => canonicalScalar('folded', asText(field(event, name)))
  return JSON.stringify([stepKey(step), folded('description'), folded('container_number')])
}
