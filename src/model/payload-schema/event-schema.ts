import { EVENT_CATALOGUE, eventTypeInfo, type EventType } from '../event-catalogue.ts'
import { EXPECTED_SUBJECTS } from '../expectation.ts'
import type { EventTypeInfo } from '../event-type-info.ts'
import { PAYLOAD_PARTS } from './payload-parts.ts'
import { exactly, fields, NOTHING, oneOf, ref, refsOf, TEXT, TEXT_OR_NULL, type Fields, type Schema } from './schema.ts'
import { TYPE_DATA } from './type-data.ts'

/** How events of a family, and of a resource, are alike: those about a whole record have no changes (guarantee P4). */
type Kind = 'change' | 'record' | 'calendar' | 'derived' | 'expectation' | 'standing' | 'service'

/** What the events of one kind have. */
const KINDS: Fields = {
  RungEvent: { allOf: [ref('Envelope'), fields({ subject: fields({ version: { type: 'integer', minimum: 1 } }) })] },
  ChangeEvent: kindSchema(TEXT, ref('Observed'), ref('ChangeData')),
  RecordEvent: kindSchema(TEXT, ref('Observed'), ref('RecordData')),
  CalendarEvent: kindSchema(TEXT, NOTHING, ref('CalendarData')),
  DerivedEvent: kindSchema(TEXT, NOTHING, ref('DerivedData')),
  ExpectationEvent: {
    allOf: [
      ref('CalendarEvent'),
      fields({ subject: fields({ resource: oneOf(EXPECTED_SUBJECTS) }), data: ref('ExpectationData') }),
    ],
  },
  // What is shown in a snapshot may never have rung.
  StandingEvent: { allOf: [ref('Envelope'), fields({ account: TEXT, observed: NOTHING, data: ref('RecordData') })] },
  ServiceEvent: kindSchema(TEXT_OR_NULL, NOTHING, ref('ServiceData')),
}

function kindSchema(account: Schema, observed: Schema, data: Schema): Schema {
  return { allOf: [ref('RungEvent'), fields({ account, observed, data })] }
}

const CATALOGUE: readonly EventTypeInfo[] = EVENT_CATALOGUE

/** The kinds of events about one resource: `ShipmentChange`, `InvoiceCalendar`, `AccountService` … */
const KINDS_BY_RESOURCE: Fields = Object.fromEntries(
  CATALOGUE.filter(({ others }) => others === undefined).map((info) => [kindName(info), aboutResource(info)]),
)

/** What the schemas of events refer to, by name. */
export const EVENT_PARTS: Fields = { ...PAYLOAD_PARTS, ...KINDS, ...KINDS_BY_RESOURCE }

function kindName(info: EventTypeInfo): string {
  return info.others === undefined ? `${pascal(info.resource)}${pascal(kindOf(info))}` : `${pascal(kindOf(info))}Event`
}

function kindOf({ type, family }: EventTypeInfo): Kind {
  // The name of a kind is no name of a type, such as `ShipmentSnapshot`.
  if (family === 'snapshot') return 'standing'
  if (family !== 'diff') return family
  return /\.(?:created|removed|restored)$|^document\.added$/.test(type) ? 'record' : 'change'
}

function aboutResource(info: EventTypeInfo): Schema {
  const { resource } = info
  const own = fields({
    ...(resource === 'subscription' || resource === 'configuration' ? { account: NOTHING } : {}),
    ...(resource === 'account' ? { account: TEXT } : {}),
    subject: fields({ resource: exactly(resource) }),
    ...(resource === 'shipment' ? { data: ref('OfShipment') } : {}),
    ...(resource === 'purchase_order' ? { data: ref('OfOrder') } : {}),
  })
  return { allOf: [ref(`${pascal(kindOf(info))}Event`), own] }
}

/** The payload of one type, its parts under `EVENT_PARTS`. */
export function eventSchema(type: EventType): Schema {
  const { kind, own, when } = eventParts(type)
  return { description: when, allOf: [kind, own] }
}

export interface EventParts {
  readonly when: string
  /** A `$ref` to what it has in common with others. */
  readonly kind: Schema
  /** The fields that the type alone has. */
  readonly own: Schema
}

export function eventParts(type: EventType): EventParts {
  const info = infoOf(type)
  const data = TYPE_DATA[type]
  const own = fields({ type: exactly(type), ...(data === null ? {} : { data }) })
  return { when: info.when, kind: ref(kindName(info)), own }
}

/** The name of a type as a type of programs: `ShipmentEtaChanged`. */
export function eventName(type: string): string {
  return type.split('.').map(pascal).join('')
}

function pascal(words: string): string {
  return words
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')
}

function infoOf(type: EventType): EventTypeInfo {
  const info = eventTypeInfo(type)
  if (info === undefined) throw new RangeError(`There is no event type ${type}.`)
  return info
}

/** The parts that schemas need, and the parts of these. */
export function partsFor(schemas: readonly Schema[]): Fields {
  const needed = new Set<string>()
  const open = schemas.flatMap((schema) => [...refsOf(schema)])
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const part = EVENT_PARTS[name]
    if (part === undefined || needed.has(name)) continue
    needed.add(name)
    open.push(...refsOf(part))
  }
  return Object.fromEntries(Object.entries(EVENT_PARTS).filter(([name]) => needed.has(name)))
}
