import { parseInstant } from '../../model/instant.ts'
import { asText, field, isJsonArray, type Json } from '../../model/json.ts'
import { elementText } from '../compare/candidate.ts'
import type { Element } from '../compare/pair.ts'
import { canonicalScalar } from '../compare/scalar.ts'
import { CODE, ELSEWHERE, FOLDED, NUMBER, objectOf, sequenceOf, type Elements, type Shape } from '../compare/shape.ts'
import { LOCATION_SHAPE } from '../location/location-shape.ts'

const EVENTS: Elements = {
  order: 'set',
  of: objectOf({ description: FOLDED, container_number: FOLDED }),
  agreeing: [['date', 'status'], ['date']],
  dateField: 'date',
  parts: ({ owner, value }) => [...placeParts(owner?.value ?? null), ...eventParts(value)],
  marks: ({ value }) => datesOf([value]),
}

const STEPS: Elements = {
  order: 'set',
  of: objectOf({ location: LOCATION_SHAPE, port: objectOf({ unlocode: CODE }), events: ELSEWHERE }),
  key: stepKey,
  descriptive: ['location', 'port'],
  nested: { field: 'events', elements: EVENTS, key: eventKey },
  parts: ({ value }) => placeParts(value),
  marks: ({ value }) => datesOf(eventsOf(value)),
}

/** What the fields of a tracking mean; positions are a track, so their order counts. */
export const TRACKING_SHAPE: Shape = objectOf({
  tracking_steps: { elements: STEPS },
  ocean_coordinates: sequenceOf(objectOf({ latitude: NUMBER, longitude: NUMBER })),
})

/** Step type and place: the port's UN/LOCODE, else the location's id. */
function stepKey(step: Json): string {
  const [type, port, location] = placeParts(step)
  return JSON.stringify([type, port === '' ? location : port])
}

/** Tracking events have no id: step type, place, description and container stand for it (guarantee D3). */
function eventKey(step: Json, event: Json): string {
  return JSON.stringify([stepKey(step), ...eventParts(event)])
}

/** What a step is known by; '' for each part that it does not have (yet). */
function placeParts(step: Json): readonly [type: string, port: string, location: string] {
  return [
    asText(field(step, 'type')) ?? '',
    canonicalScalar('code', asText(field(field(step, 'port'), 'unlocode'))),
    canonicalScalar('identifier', asText(field(field(step, 'location'), 'id'))),
  ]
}

function eventParts(event: Json): readonly string[] {
  const folded = (name: string): string => canonicalScalar('folded', asText(field(event, name)))
  return [folded('description'), folded('container_number')]
}

function eventsOf(step: Json): readonly Json[] {
  const events = field(step, 'events')
  return isJsonArray(events) ? events : []
}

/** All that a tracking event means, for an order that does not depend on the array's. */
export function eventText(event: Element): string {
  return elementText(EVENTS, event)
}

/** Whether a pair of elements is of different keys: more is known of the element than before. */
export function becameKnown({
  before,
  after,
}: {
  readonly before: Element | null
  readonly after: Element | null
}): boolean {
  return before !== null && after !== null && before.key !== after.key
}

/** No date is nothing that events have in common: what means nothing has none either. */
function datesOf(events: readonly Json[]): readonly string[] {
  return events
    .flatMap((event) => parseInstant(field(event, 'date')) ?? [])
    .map(String)
    .sort()
}
