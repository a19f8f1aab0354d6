import { nodeAt, type MapNode } from './config-node.ts'
import { baseUrl } from './http-url.ts'
import { problemAt } from './problem.ts'
import { choice, count, duration, text, token } from './scalar-types.ts'
import { section } from './section.ts'
import { byDefault, optional, required, type Reading } from './shape.ts'
import { timeZone } from './time-zone.ts'
import { value } from './value.ts'

const period = value(duration({ atLeastMs: 1 }))
/** Beyond a day a request is dead, and Node's timers end at 24.8 days. */
const deadline = value(duration({ atLeastMs: 1, atMostMs: 86_400_000 }))

const budget = section({
  requests: byDefault(value(count), 60, 'Requests that may be sent in any window of `per`.'),
  per: byDefault(period, '1m', 'Length of the window.'),
  concurrency: byDefault(value(count), 4, 'Requests that may be under way at once.'),
})

const watch = section(
  {
    shipments: optional(
      section(
        { every: byDefault(period, '2m', 'The longest a shipment may go unread.') },
        { later: ['milestone_grace', 'ignore'] },
      ),
      'Shipments, from their list.',
    ),
    tracking: optional(
      section(
        { every: byDefault(period, '15m', 'The longest the tracking of a live shipment may go unread.') },
        { later: ['positions', 'ignore'] },
      ),
      'The tracking of every live shipment; needs `shipments`.',
    ),
    invoices: optional(
      section(
        { every: byDefault(period, '10m', 'The longest an invoice may go unread.') },
        { later: ['due_soon', 'ignore'] },
      ),
      'Invoices and credit notes, from their list.',
    ),
  },
  { later: ['documents', 'purchase_orders', 'locations', 'order_preparations'], check: trackingHasShipments },
)

export const account = section(
  {
    base_url: required(value(baseUrl), 'Address of the platform; paths such as /v1/shipments are appended.'),
    api_key: required(value(token), 'Sent as `Authorization: Bearer <key>`.'),
    time_zone: byDefault(value(timeZone), 'UTC', 'IANA time zone: the calendar of due dates.'),
    budget: byDefault(budget, {}, 'How many requests the platform allows.'),
    timeout: byDefault(deadline, '30s', 'Deadline of a whole request, body included.'),
    first_poll: byDefault(
      value(choice(['baseline', 'emit'])),
      'baseline',
      '`baseline` learns what exists silently, `emit` rings it as created.',
    ),
    shipment_id_field: optional(value(text), 'The field that identifies a shipment, where it is not found by itself.'),
    watch: byDefault(watch, {}, 'What is read, and how often; what is left out is not watched.'),
  },
  { later: ['settle'] },
)

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
