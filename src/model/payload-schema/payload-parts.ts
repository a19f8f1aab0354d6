import { EXPECTATION_SEVERITIES } from '../expectation.ts'
import { WATCHABLES } from '../resource.ts'
import { MILESTONES } from '../shipment.ts'
import {
  ANY,
  described,
  exactly,
  listOf,
  mapOf,
  NOTHING,
  object,
  oneOf,
  orNull,
  ref,
  TEXT,
  TEXT_OR_NULL,
  WHOLE,
  WHOLE_OR_NULL,
  type Fields,
} from './schema.ts'

const RECORD_OR_NULL = orNull(ref('PlatformRecord'))
/** `object` is missing in thin payloads, `shipment` where none is known */
const SHOWN: Fields = { object: ref('PlatformRecord'), shipment: ref('ShipmentSummary') }
/** Where the file of a document is had. */
const FILE: Fields = { content_url: TEXT }
const CAUSES = ['change', 'calendar', 'derived', 'correction', 'reminder', 'snapshot', 'watermark', 'replay', 'test']

/** What payloads of all types are made of (guarantees P1, P4 and E4), by the name that receivers know it by. */
export const PAYLOAD_PARTS: Fields = {
  Instant: described('An instant in UTC, to the millisecond: 2026-11-21T08:00:02.119Z', {
    type: 'string',
    pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
  }),
  Json: described('Any value of JSON.', ANY),
  Sent: described('A single value as sent; numbers may come as text.', {
    anyOf: [TEXT, { type: 'number' }, { type: 'boolean' }, NOTHING, { type: 'array', maxItems: 0, items: NOTHING }],
  }),
  PlatformRecord: described('A record, or a part of one, as sent.', mapOf(ref('Json'))),
  Subject: described(
    'What the event is about.',
    object({
      resource: TEXT,
      id: TEXT,
      version: described("Counts the subject's events from 1; 0 in a snapshot of what never rang.", {
        type: 'integer',
        minimum: 0,
      }),
      previous_event_id: TEXT_OR_NULL,
    }),
  ),
  Observed: described(
    'When a change happened, as far as reads can tell.',
    object({
      not_before: described('When the last read with the old value was sent.', orNull(ref('Instant'))),
      not_after: ref('Instant'),
    }),
  ),
  Placed: described(
    'A delivery as numbered.',
    object({ subscription: TEXT, series: TEXT, position: { type: 'integer', minimum: 1 } }),
  ),
  Envelope: described(
    'What all events have.',
    object(
      {
        id: described('The same on every attempt and for every receiver.', TEXT),
        type: TEXT,
        timestamp: ref('Instant'),
        account: TEXT_OR_NULL,
        sequence: described('Grows in an account; null of reminders.', WHOLE_OR_NULL),
        subject: ref('Subject'),
        observed: orNull(ref('Observed')),
        cause: described(`${CAUSES.join(', ')}, …`, TEXT),
        data: object({}, { links: object({ self: TEXT }) }),
      },
      {
        delivery: ref('Placed'),
        truncated: described('It was too large, and is sent thin.', exactly(true)),
      },
    ),
  ),
  Change: described(
    'One changed leaf.',
    object(
      {
        path: described('A JSON Pointer into `object`; with `removed` into the record as it was.', TEXT),
        from: ref('Json'),
        to: ref('Json'),
      },
      { removed: exactly(true) },
    ),
  ),
  RecordData: object({}, { ...SHOWN, ...FILE }),
  ChangeData: object(
    {},
    {
      ...SHOWN,
      ...FILE,
      previous: described('The changed top-level fields as they were.', mapOf(ref('Json'))),
      changes: listOf(ref('Change')),
    },
  ),
  CalendarData: object(
    { at: described('The instant of the edge.', ref('Instant')) },
    { ...SHOWN, late_by: described('Whole minutes between `at` and the ringing.', WHOLE) },
  ),
  DerivedData: object({ because: described('The newest event that moved it; null: none did.', TEXT_OR_NULL) }, SHOWN),
  ExpectationData: object({ expectation: TEXT, by: ref('Instant'), severity: oneOf(EXPECTATION_SEVERITIES) }),
  ServiceData: object({ at: ref('Instant') }),
  ShipmentSummary: object({
    id: TEXT,
    name: TEXT_OR_NULL,
    status: TEXT_OR_NULL,
    freight_mode: TEXT_OR_NULL,
    purchase_order_references: listOf(TEXT),
    container_numbers: listOf(TEXT),
    master_bill: TEXT_OR_NULL,
    house_bill: TEXT_OR_NULL,
  }),
  ExpectedDelivery: described(
    'The latest date of the shipments of an order, as sent.',
    object({
      date: TEXT,
      status: TEXT_OR_NULL,
      basis: oneOf(['delivery', 'arrival']),
      shipment_id: TEXT,
    }),
  ),
  OrderStatus: described(
    'The order, by its shipments as they were looked at last.',
    object({
      expected: orNull(ref('ExpectedDelivery')),
      unknown: listOf(TEXT),
      desired_delivery_date: TEXT_OR_NULL,
      slack_days: WHOLE_OR_NULL,
      assigned_share: described('From 0 to 1.', orNull({ type: 'number' })),
    }),
  ),
  OfOrder: object({ order_status: ref('OrderStatus') }),
  /** Every event about a shipment has its summary. */
  OfShipment: object({ shipment: ref('ShipmentSummary') }),
  TrackingDate: described(
    'A main tracking date as the platform sent it.',
    object({}, { date: ref('Sent'), status: ref('Sent') }),
  ),
  Milestone: oneOf(MILESTONES),
  DateChange: object({
    milestone: ref('Milestone'),
    from: orNull(ref('TrackingDate')),
    to: orNull(ref('TrackingDate')),
    shift_minutes: described('From `from` to `to`; null if either date is missing.', WHOLE_OR_NULL),
    direction: oneOf(['later', 'earlier', 'none']),
    first: described('The first date ever seen.', orNull(object({ date: TEXT, seen_at: ref('Instant') }))),
    drift_minutes: described('From `first` to `to`.', WHOLE_OR_NULL),
    revision: described('Distinct instants seen, from 1.', { type: 'integer', minimum: 1 }),
  }),
  DateChanged: object({ date_change: ref('DateChange') }),
  Turned: described(
    'A field as it was and as it is, null where absent.',
    object({ from: ref('Sent'), to: ref('Sent') }),
  ),
  DayMoved: object({ shift_days: WHOLE_OR_NULL }),
  Delta: object({ added: listOf(TEXT), removed: listOf(TEXT) }),
  AmountChanged: described('Totals by currency, as decimals in text.', object({ from: mapOf(TEXT), to: mapOf(TEXT) })),
  Replaced: object({ from: RECORD_OR_NULL, to: RECORD_OR_NULL }),
  AboutContainer: described('As it is now; removed: as it was.', object({ container: RECORD_OR_NULL })),
  AboutStep: object({
    step: described('Without its events.', RECORD_OR_NULL),
    event: RECORD_OR_NULL,
    previous_event: RECORD_OR_NULL,
  }),
  AboutLine: described(
    'An order line and the shipment it is assigned to, where the event is about one of each.',
    object({ line: RECORD_OR_NULL, shipment_id: TEXT_OR_NULL }),
  ),
  OrderEtaChanged: object({
    from: orNull(ref('ExpectedDelivery')),
    to: orNull(ref('ExpectedDelivery')),
    shift_minutes: WHOLE_OR_NULL,
    unknown: listOf(TEXT),
    shipments: listOf(TEXT),
  }),
  AboutOrderDelivery: object({
    slack_days: WHOLE,
    to: ref('ExpectedDelivery'),
  }),
  AboutDelivery: object({ slack_days: described('From the estimate to the desired date.', WHOLE) }),
  Failures: object({ reason: TEXT_OR_NULL, failures: WHOLE, since: orNull(ref('Instant')) }),
  Recovered: object({ was: TEXT_OR_NULL, down_since: orNull(ref('Instant')) }),
  Watchable: described('As under `watch` of the configuration.', oneOf(WATCHABLES)),
  Means: object({ vessel: ref('Sent'), voyage: ref('Sent'), flight_number: ref('Sent') }),
}
