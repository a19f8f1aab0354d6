/** What an event can be about: `subject.resource` (guarantee P5). */
export type SubjectResource = RecordResource | 'account' | 'subscription' | 'configuration'

/** What is known of a resource before any of its records is read. */
interface ResourceRow {
  /** What reads its records: the name under `watch` (guarantee K3). */
  readonly watch: string
  /** Path of the list, below `base_url`; null where the interface has none. */
  readonly list: string | null
  /** Path below which one record is found by its id. */
  readonly item: string
  /** The field that identifies a record; `shipment`: that of its shipment, which platforms name differently; null: only the path names it. */
  readonly idField: 'shipment' | 'reference' | 'id' | 'po_number' | null
  /** What people call one record and several of them. */
  readonly labels: { readonly one: string; readonly many: string }
  /** What tells the phase that says how often a record changes: its own content, or its shipment's; null: it has none. */
  readonly phases: 'own' | 'shipment' | null
}

/**
 * Every resource whose records come from the platform, in the order of the configuration: one row says what it is. Each rings
 * `created`, `updated`, `removed` and `restored`, or types in place of these, which stand in `event-catalogue.ts`.
 */
export const RESOURCES = {
  shipment: {
    watch: 'shipments',
    list: '/v1/shipments',
    item: '/v1/shipments',
    idField: 'shipment',
    labels: { one: 'Shipment', many: 'Shipments' },
    phases: 'own',
  },
  tracking: {
    watch: 'tracking',
    list: null,
    item: '/v1/tracking',
    idField: 'shipment',
    labels: { one: 'Tracking', many: 'Tracking' },
    phases: 'shipment',
  },
  invoice: {
    watch: 'invoices',
    list: '/v1/invoices',
    item: '/v1/invoices',
    idField: 'reference',
    labels: { one: 'Invoice', many: 'Invoices' },
    phases: null,
  },
  document: {
    watch: 'documents',
    list: '/v1/documents',
    item: '/v1/documents',
    idField: 'id',
    labels: { one: 'Document', many: 'Documents' },
    phases: null,
  },
  purchase_order: {
    watch: 'purchase_orders',
    list: '/v1/purchaseOrders',
    item: '/v1/purchaseOrders',
    idField: 'po_number',
    labels: { one: 'Purchase order', many: 'Purchase orders' },
    phases: null,
  },
  location: {
    watch: 'locations',
    list: '/v1/locations',
    item: '/v1/locations',
    idField: 'id',
    labels: { one: 'Location', many: 'Locations' },
    phases: null,
  },
  order_preparation: {
    watch: 'order_preparations',
    list: null,
    item: '/v1/orderPreparations',
    idField: null,
    labels: { one: 'Order preparation', many: 'Order preparations' },
    phases: null,
  },
} as const satisfies Readonly<Record<string, ResourceRow>>

type Rows = typeof RESOURCES

/** A resource whose records come from the platform. */
export type RecordResource = keyof Rows

/** What an account can watch, as named under `watch`. */
export type Watchable = Rows[RecordResource]['watch']

/** The resources that the platform lists page by page. */
export type ListedResource = {
  [Resource in RecordResource]: Rows[Resource]['list'] extends string ? Resource : never
}[RecordResource]

/** The records that are read for what is watched: the table the other way round, which its type holds to it. */
export const RECORD_OF: { readonly [Resource in RecordResource as Rows[Resource]['watch']]: Resource } = {
  shipments: 'shipment',
  tracking: 'tracking',
  invoices: 'invoice',
  documents: 'document',
  purchase_orders: 'purchase_order',
  locations: 'location',
  order_preparations: 'order_preparation',
}

export const RECORD_RESOURCES: readonly RecordResource[] = Object.keys(RESOURCES).filter(isRecordResource)

export const WATCHABLES: readonly Watchable[] = RECORD_RESOURCES.map(watchedAs)

/** The lists that can be watched. */
export const LISTS: readonly Rows[ListedResource]['watch'][] = RECORD_RESOURCES.filter(isListed).map(
  (resource) => RESOURCES[resource].watch,
)

/** Whether a name is that of a resource whose records come from the platform. */
export function isRecordResource(name: string): name is RecordResource {
  return Object.hasOwn(RESOURCES, name)
}

/** Whether the platform lists the records of a resource page by page. */
export function isListed(resource: RecordResource): resource is ListedResource {
  return RESOURCES[resource].list !== null
}

/** The name under `watch` of what records are read for. */
export function watchedAs(resource: RecordResource): Watchable {
  return RESOURCES[resource].watch
}
