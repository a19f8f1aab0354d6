import { z } from 'zod'
import { IGNORED_BY_DEFAULT } from '../model/account.ts'
import type { RecordResource, Watchable } from '../model/resource.ts'
import { baseUrl, proxyAddress, recordAddress } from './addresses.ts'
import { issueOf } from './schema-parts.ts'
import { tls } from './tls.ts'
import {
  choice,
  count,
  deadline,
  duration,
  filledList,
  flag,
  fraction,
  jsonPointer,
  list,
  positive,
  text,
  timeZone,
  token,
} from './values.ts'

const budget = z.strictObject({
  requests: count.prefault(60).describe('Requests that may be sent in any window of `per`.'),
  per: duration(1).prefault('1m').describe('Length of the window.'),
  concurrency: count.prefault(4).describe('Requests that may be under way at once.'),
  share: fraction
    .prefault(1)
    .describe('The part of `requests` that Shipbell uses; less than 1 where others use the key too.'),
})

const weight = positive
  .prefault(1)
  .describe('How much its changes matter beside those of other resources, where there is budget beyond `every`.')
const ignore = list(jsonPointer, '[/updated_at]')
  .prefault([])
  .describe('JSON Pointers of what is never a change; `*` is any element or key.')

/** JSON Pointers of what is ignored by default; others cannot be taken back. */
function notice(name: Watchable) {
  const pointer = jsonPointer.superRefine((text, context) => {
    const problem = unnoticeable(name, text)
    if (problem !== null) context.addIssue(issueOf(problem, { rule: true }))
  })
  return list(pointer, '[/usd_to_eur_rate]')
    .prefault([])
    .describe('JSON Pointers that are no longer ignored by default, such as `/usd_to_eur_rate` of invoices.')
}

/** Why a pointer cannot be taken back; null: it can. */
function unnoticeable(name: Watchable, pointer: string): string | null {
  const defaults = IGNORED_BY_DEFAULT[name] ?? []
  if (defaults.includes(pointer)) return null
  if (name === 'documents' && pointer === '/link')
    return '`/link` may be another in every answer, and is never compared'
  if (name === 'tracking' && pointer === '/ocean_coordinates') return 'write `positions: true` for `/ocean_coordinates`'
  const known = defaults.length === 0 ? `nothing of \`${name}\` is` : `only ${defaults.join(', ')} is`
  return `\`${pointer}\` is not ignored by default: ${known}`
}

interface Reading {
  /** The default of `every`. */
  readonly every: string
  readonly what: string
}

/** A resource that is read at least every so often, with the keys that it has alone. */
function resource<const S extends z.ZodRawShape>(name: Watchable, { every, what }: Reading, own: S) {
  const period = duration(1).prefault(every).describe(`The longest ${what} may go unread.`)
  return z.strictObject({ every: period, ...own, weight, ignore, notice: notice(name) })
}

const watch = z
  .strictObject({
    shipments: resource(
      'shipments',
      { every: '2m', what: 'a shipment' },
      {
        milestone_grace: duration(0).prefault('24h').describe('How long after its date a milestone is overdue.'),
      },
    )
      .optional()
      .describe('Shipments, from their list.'),
    tracking: resource(
      'tracking',
      { every: '15m', what: 'the tracking of a live shipment' },
      {
        positions: flag.prefault(false).describe('Whether positions at sea are events; they are ignored otherwise.'),
      },
    )
      .optional()
      .describe('The tracking of every live shipment; needs `shipments`.'),
    invoices: resource(
      'invoices',
      { every: '10m', what: 'an invoice' },
      {
        // Days are those of the calendar; other leads are counted in time. None: nothing is due soon.
        due_soon: list(duration(60_000, 366 * 86_400_000), '[7d, 1d]')
          .prefault(['7d', '1d'])
          .describe('How long before its due date an invoice is due soon.'),
      },
    )
      .optional()
      .describe('Invoices and credit notes, from their list.'),
    documents: resource('documents', { every: '30m', what: 'a document' }, {})
      .optional()
      .describe('Documents, from their list.'),
    purchase_orders: resource('purchase_orders', { every: '30m', what: 'a purchase order' }, {})
      .optional()
      .describe('Purchase orders, from their list.'),
    locations: resource('locations', { every: '12h', what: 'a location' }, {})
      .optional()
      .describe('Locations, from their list.'),
    order_preparations: resource(
      'order_preparations',
      { every: '30m', what: 'an order preparation' },
      {
        references: filledList(text, '[OP-1]')
          .optional()
          .describe('Those that are read, beside what was created through Shipbell: the platform has no list.'),
      },
    )
      .optional()
      .describe('Order preparations, one by one.'),
  } satisfies Readonly<Record<Watchable, z.ZodType>>)
  .superRefine(({ shipments, tracking }, context) => {
    if (tracking === undefined || shipments !== undefined) return
    const message = '`tracking` needs `shipments`: add `shipments: {}` beside it'
    context.addIssue(issueOf(message, { key: 'tracking', at: 'key', rule: true }))
  })

const recordUrl = recordAddress.optional()

/** By resource, in the singular: what is linked is one record. */
const link = z.strictObject({
  shipment: recordUrl.describe('Of a shipment.'),
  tracking: recordUrl.describe('Of the tracking of a shipment, by its id.'),
  invoice: recordUrl.describe('Of an invoice or credit note, by its reference.'),
  document: recordUrl.describe('Of a document.'),
  purchase_order: recordUrl.describe('Of a purchase order, by its number.'),
  location: recordUrl.describe('Of a location.'),
  order_preparation: recordUrl.describe('Of an order preparation, by its reference.'),
} satisfies Readonly<Record<RecordResource, z.ZodType>>)

const keys = z.strictObject({
  base_url: baseUrl.describe('Address of the platform; paths such as /v1/shipments are appended.'),
  api_key: token.describe('Sent as `Authorization: Bearer <key>`.'),
  time_zone: timeZone.prefault('UTC').describe('IANA time zone: the calendar of due dates.'),
  budget: budget.prefault({}).describe('How many requests the platform allows.'),
  timeout: deadline.prefault('30s').describe('Deadline of a whole request, body included.'),
  audit: flag
    .prefault(true)
    .describe('Whether spare budget (at most 2 %) compares sampled records by their ids with what their list shows.'),
  settle: duration(0)
    .prefault('0s')
    .describe('How long a changed estimate waits to become an event; one that is back in time becomes none.'),
  first_poll: choice(['baseline', 'emit'])
    .prefault('baseline')
    .describe('`baseline` learns what exists without events, `emit` emits it as created.'),
  proxy: proxyAddress
    .optional()
    .describe('HTTP proxy that the platform is read through: `http[s]://user:password@host:port`.'),
  tls: tls.optional().describe('Authorities to trust and a client certificate.'),
  shipment_id_field: text.optional().describe('The field that identifies a shipment, where it is not found by itself.'),
  link: link
    .optional()
    .describe('Where people see a record at the platform, for messages and the desk; `{id}` is its id.'),
  watch: watch.prefault({}).describe('What is read, and how often; what is left out is not watched.'),
})

/** What is watched, whether that is audited, and the zone of its dates, alone. */
export const watchedAccount = keys.pick({ watch: true, time_zone: true, audit: true })

/** One account of the platform. */
export const account = keys.superRefine(({ base_url, tls: pem, proxy = '' }, context) => {
  if (pem === undefined || [base_url, proxy].some((address) => address.startsWith('https:'))) return
  context.addIssue(issueOf('`tls` needs a `base_url` with https', { key: 'tls', at: 'key', rule: true }))
})

export type AccountKeys = z.output<typeof account>
