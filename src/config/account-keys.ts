import { nodeAt, type MapNode } from './config-node.ts'
import { baseUrl } from './http-url.ts'
import { jsonPointer } from './json-pointer.ts'
import { problemAt } from './problem.ts'
import { choice, count, duration, filledList, flag, fraction, list, positive, text, token } from './scalar-types.ts'
import { section } from './section.ts'
import { byDefault, optional, required, type Reading } from './shape.ts'
import { timeZone } from './time-zone.ts'
import { value } from './value.ts'

const period = value(duration({ atLeastMs: 1 }))
/** Beyond a day a request is dead, and Node's timers end at 24.8 days. */
const deadline = value(duration({ atLeastMs: 1, atMostMs: 86_400_000 }))

const grace = value(duration({ atLeastMs: 0 }))
/** Days of the calendar; other leads are counted in time. None: nothing is due soon. */
const leads = value(list(duration({ atLeastMs: 60_000, atMostMs: 366 * 86_400_000 }), '[7d, 1d]'))

const ignore = byDefault(
  value(list(jsonPointer, '[/updated_at]')),
  [],
  'JSON Pointers of what is never a change; `*` is any element or key.',
)

const weight = byDefault(
  value(positive),
  1,
  'How much its changes matter beside those of other resources, where there is budget beyond `every`.',
)

const budget = section({
  requests: byDefault(value(count), 60, 'Requests that may be sent in any window of `per`.'),
  per: byDefault(period, '1m', 'Length of the window.'),
  concurrency: byDefault(value(count), 4, 'Requests that may be under way at once.'),
  share: byDefault(
    value(fraction),
    1,
    'The part of `requests` that Shipbell uses; less than 1 where others use the key too.',
  ),
})

const watch = section(
  {
    shipments: optional(
      section({
        every: byDefault(period, '2m', 'The longest a shipment may go unread.'),
        milestone_grace: byDefault(grace, '24h', 'How long after its date a milestone is overdue.'),
        weight,
        ignore,
      }),
      'Shipments, from their list.',
    ),
    tracking: optional(
      section({
        every: byDefault(period, '15m', 'The longest the tracking of a live shipment may go unread.'),
        positions: byDefault(value(flag), false, 'Whether positions at sea ring; they are ignored otherwise.'),
        weight,
        ignore,
      }),
      'The tracking of every live shipment; needs `shipments`.',
    ),
    invoices: optional(
      section({
        every: byDefault(period, '10m', 'The longest an invoice may go unread.'),
        due_soon: byDefault(leads, ['7d', '1d'], 'How long before its due date an invoice is due soon.'),
        weight,
        ignore,
      }),
      'Invoices and credit notes, from their list.',
    ),
    documents: optional(
      section({ every: byDefault(period, '30m', 'The longest a document may go unread.'), weight, ignore }),
      'Documents, from their list.',
    ),
    purchase_orders: optional(
      section({ every: byDefault(period, '30m', 'The longest a purchase order may go unread.'), weight, ignore }),
      'Purchase orders, from their list.',
    ),
    locations: optional(
      section({ every: byDefault(period, '12h', 'The longest a location may go unread.'), weight, ignore }),
      'Locations, from their list.',
    ),
    order_preparations: optional(
      section({
        every: byDefault(period, '30m', 'The longest an order preparation may go unread.'),
        references: required(
          value(filledList(text, '[OP-1]')),
          'Those that are read: the platform has no list of them.',
        ),
        weight,
        ignore,
      }),
      'Order preparations, one by one.',
    ),
  },
  { check: trackingHasShipments },
)

export const account = section({
  base_url: required(value(baseUrl), 'Address of the platform; paths such as /v1/shipments are appended.'),
  api_key: required(value(token), 'Sent as `Authorization: Bearer <key>`.'),
  time_zone: byDefault(value(timeZone), 'UTC', 'IANA time zone: the calendar of due dates.'),
  budget: byDefault(budget, {}, 'How many requests the platform allows.'),
  timeout: byDefault(deadline, '30s', 'Deadline of a whole request, body included.'),
  settle: byDefault(
    value(duration({ atLeastMs: 0 })),
    '0s',
    'How long changed estimates wait to ring; one that is back in time rings nothing.',
  ),
  first_poll: byDefault(
    value(choice(['baseline', 'emit'])),
    'baseline',
    '`baseline` learns what exists silently, `emit` rings it as created.',
  ),
  shipment_id_field: optional(value(text), 'The field that identifies a shipment, where it is not found by itself.'),
  watch: byDefault(watch, {}, 'What is read, and how often; what is left out is not watched.'),
})

export type AccountKeys = Exclude<ReturnType<typeof account.read>, undefined>

function trackingHasShipments(
  watched: { readonly shipments: unknown; readonly tracking: unknown },
  node: MapNode,
  reading: Reading,
): boolean {
  const holds = watched.tracking === undefined || watched.shipments !== undefined
  if (!holds) {
    const message = '`tracking` needs `shipments`: add `shipments: {}` beside it'
    reading.report(problemAt(nodeAt(node, ['tracking']).keyAt, message))
  }
  return holds
}
