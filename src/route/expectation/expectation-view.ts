import type { ExpectedSubject, SeenResource } from '../../model/expectation.ts'
import type { JsonObject } from '../../model/json.ts'

/** The record that an expectation is about with those that belong to it, as events have reported them. */
export interface ExpectationView {
  /** By the names that rules give them: what is not there is empty. */
  readonly records: JsonObject
  /** When a read last showed a resource of the record changed, or first showed it; left out: none ever did. */
  readonly changedAt: Readonly<Partial<Record<SeenResource, number>>>
  /** IANA name of the account's zone: days end there. */
  readonly timeZone: string
}

interface Seen {
  readonly resource: SeenResource
  /** One record or many. */
  readonly many: boolean
}

const one = (resource: SeenResource): Seen => ({ resource, many: false })
const many = (resource: SeenResource): Seen => ({ resource, many: true })

/** What rules about a subject see, by the names that they give it. */
export const SEEN_BY: Readonly<Record<ExpectedSubject, Readonly<Record<string, Seen>>>> = {
  shipment: {
    shipment: one('shipment'),
    tracking: one('tracking'),
    documents: many('document'),
    invoices: many('invoice'),
    orders: many('purchase_order'),
  },
  purchase_order: { order: one('purchase_order'), shipments: many('shipment') },
  invoice: { invoice: one('invoice'), shipment: one('shipment') },
}

/** The resources that rules about a subject can see. */
export function resourcesSeenBy(about: ExpectedSubject): readonly SeenResource[] {
  return Object.values(SEEN_BY[about]).map(({ resource }) => resource)
}
