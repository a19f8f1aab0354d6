// Made from the definitions of Shipbell's payloads by `npm run docs`.
/** An instant in UTC, to the millisecond: 2026-11-21T08:00:02.119Z */
export type Instant = string
/** Any value of JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** A single value as sent; numbers may come as text. */
export type Sent = string | number | boolean | null | []
/** A record, or a part of one, as sent. */
export type PlatformRecord = { [key: string]: Json }
/** What the event is about. */
export interface Subject {
  resource: string
  id: string
  /** Counts the subject's events from 1; 0 in a snapshot of what never rang. */ version: number
  previous_event_id: string | null
}
/** When a change happened, as far as reads can tell. */
export interface Observed {
  /** When the last read with the old value was sent. */ not_before: Instant | null
  not_after: Instant
}
/** A delivery as numbered. */
export interface Placed { subscription: string; series: string; position: number }
/** What all events have. */
export interface Envelope {
  /** The same on every attempt and for every receiver. */ id: string
  type: string
  timestamp: Instant
  account: string | null
  /** Grows in an account; null of reminders. */ sequence: number | null
  subject: Subject
  observed: Observed | null
  /** change, calendar, derived, correction, reminder, snapshot, watermark, replay, test, … */ cause: string
  data: { links?: { self: string } }
  delivery?: Placed
  /** It was too large, and is sent thin. */ truncated?: true
}
/** One changed leaf. */
export interface Change {
  /** A JSON Pointer into `object`; with `removed` into the record as it was. */ path: string
  from: Json
  to: Json
  removed?: true
}
export interface RecordData { object?: PlatformRecord; shipment?: ShipmentSummary; content_url?: string }
export interface ChangeData {
  object?: PlatformRecord
  shipment?: ShipmentSummary
  content_url?: string
  /** The changed top-level fields as they were. */ previous?: { [key: string]: Json }
  changes?: Change[]
}
export interface CalendarData {
  /** The instant of the edge. */ at: Instant
  object?: PlatformRecord
  shipment?: ShipmentSummary
  /** Whole minutes between `at` and the ringing. */ late_by?: number
}
export interface DerivedData {
  /** The newest event that moved it; null: none did. */ because: string | null
  object?: PlatformRecord
  shipment?: ShipmentSummary
}
export interface ExpectationData { expectation: string; by: Instant; severity: 'neutral' | 'warning' | 'critical' }
export interface ServiceData { at: Instant }
export interface ShipmentSummary { id: string; name: string | null; status: string | null; freight_mode: string | null; purchase_order_references: string[]; container_numbers: string[]; master_bill: string | null; house_bill: string | null }
/** The latest date of the shipments of an order, as sent. */
export interface ExpectedDelivery { date: string; status: string | null; basis: 'delivery' | 'arrival'; shipment_id: string }
/** The order, by its shipments as they were looked at last. */
export interface OrderStatus {
  expected: ExpectedDelivery | null
  unknown: string[]
  desired_delivery_date: string | null
  slack_days: number | null
  /** From 0 to 1. */ assigned_share: number | null
}
export interface OfOrder { order_status: OrderStatus }
export interface OfShipment { shipment: ShipmentSummary }
/** A main tracking date as the platform sent it. */
export interface TrackingDate { date?: Sent; status?: Sent }
export type Milestone = 'pickup' | 'departure' | 'arrival' | 'delivery'
export interface DateChange {
  milestone: Milestone
  from: TrackingDate | null
  to: TrackingDate | null
  /** From `from` to `to`; null if either date is missing. */ shift_minutes: number | null
  direction: 'later' | 'earlier' | 'none'
  /** The first date ever seen. */ first: { date: string; seen_at: Instant } | null
  /** From `first` to `to`. */ drift_minutes: number | null
  /** Distinct instants seen, from 1. */ revision: number
}
export interface DateChanged { date_change: DateChange }
/** A field as it was and as it is, null where absent. */
export interface Turned { from: Sent; to: Sent }
export interface DayMoved { shift_days: number | null }
export interface Delta { added: string[]; removed: string[] }
/** Totals by currency, as decimals in text. */
export interface AmountChanged { from: { [key: string]: string }; to: { [key: string]: string } }
export interface Replaced { from: PlatformRecord | null; to: PlatformRecord | null }
/** As it is now; removed: as it was. */
export interface AboutContainer { container: PlatformRecord | null }
export interface AboutStep {
  /** Without its events. */ step: PlatformRecord | null
  event: PlatformRecord | null
  previous_event: PlatformRecord | null
}
/** An order line and the shipment it is assigned to, where the event is about one of each. */
export interface AboutLine { line: PlatformRecord | null; shipment_id: string | null }
export interface OrderEtaChanged { from: ExpectedDelivery | null; to: ExpectedDelivery | null; shift_minutes: number | null; unknown: string[]; shipments: string[] }
export interface AboutOrderDelivery { slack_days: number; to: ExpectedDelivery }
export interface AboutDelivery {
  /** From the estimate to the desired date. */ slack_days: number
}
export interface Failures { reason: string | null; failures: number; since: Instant | null }
export interface Recovered { was: string | null; down_since: Instant | null }
/** As under `watch` of the configuration. */
export type Watchable = 'shipments' | 'tracking' | 'invoices' | 'documents' | 'purchase_orders' | 'locations' | 'order_preparations'
export interface Means { vessel: Sent; voyage: Sent; flight_number: Sent }
export type RungEvent = Envelope & { subject: { version: number } }
export type ChangeEvent = RungEvent & { account: string; observed: Observed; data: ChangeData }
export type RecordEvent = RungEvent & { account: string; observed: Observed; data: RecordData }
export type CalendarEvent = RungEvent & { account: string; observed: null; data: CalendarData }
export type DerivedEvent = RungEvent & { account: string; observed: null; data: DerivedData }
export type ExpectationEvent = CalendarEvent & { subject: { resource: 'shipment' | 'purchase_order' | 'invoice' }; data: ExpectationData }
export type StandingEvent = Envelope & { account: string; observed: null; data: RecordData }
export type ServiceEvent = RungEvent & { account: string | null; observed: null; data: ServiceData }
export type ShipmentRecord = RecordEvent & { subject: { resource: 'shipment' }; data: OfShipment }
export type ShipmentChange = ChangeEvent & { subject: { resource: 'shipment' }; data: OfShipment }
export type TrackingChange = ChangeEvent & { subject: { resource: 'tracking' } }
export type InvoiceRecord = RecordEvent & { subject: { resource: 'invoice' } }
export type InvoiceChange = ChangeEvent & { subject: { resource: 'invoice' } }
export type DocumentRecord = RecordEvent & { subject: { resource: 'document' } }
export type DocumentChange = ChangeEvent & { subject: { resource: 'document' } }
export type PurchaseOrderRecord = RecordEvent & { subject: { resource: 'purchase_order' }; data: OfOrder }
export type PurchaseOrderChange = ChangeEvent & { subject: { resource: 'purchase_order' }; data: OfOrder }
export type LocationRecord = RecordEvent & { subject: { resource: 'location' } }
export type LocationChange = ChangeEvent & { subject: { resource: 'location' } }
export type OrderPreparationRecord = RecordEvent & { subject: { resource: 'order_preparation' } }
export type OrderPreparationChange = ChangeEvent & { subject: { resource: 'order_preparation' } }
export type ShipmentCalendar = CalendarEvent & { subject: { resource: 'shipment' }; data: OfShipment }
export type InvoiceCalendar = CalendarEvent & { subject: { resource: 'invoice' } }
export type PurchaseOrderDerived = DerivedEvent & { subject: { resource: 'purchase_order' }; data: OfOrder }
export type ShipmentStanding = StandingEvent & { subject: { resource: 'shipment' }; data: OfShipment }
export type TrackingStanding = StandingEvent & { subject: { resource: 'tracking' } }
export type InvoiceStanding = StandingEvent & { subject: { resource: 'invoice' } }
export type DocumentStanding = StandingEvent & { subject: { resource: 'document' } }
export type PurchaseOrderStanding = StandingEvent & { subject: { resource: 'purchase_order' }; data: OfOrder }
export type LocationStanding = StandingEvent & { subject: { resource: 'location' } }
export type OrderPreparationStanding = StandingEvent & { subject: { resource: 'order_preparation' } }
export type AccountService = ServiceEvent & { account: string; subject: { resource: 'account' } }
export type SubscriptionService = ServiceEvent & { account: null; subject: { resource: 'subscription' } }
export type ConfigurationService = ServiceEvent & { account: null; subject: { resource: 'configuration' } }

type With<E, D> = E & { data: D }

export type Events =
  Record<'shipment.created' | 'shipment.removed' | 'shipment.restored', ShipmentRecord> &
  Record<'shipment.status_changed', With<ShipmentChange, Turned & { regression: boolean }>> &
  Record<'shipment.pickup_date_changed' | 'shipment.etd_changed' | 'shipment.eta_changed' | 'shipment.delivery_date_changed' | 'shipment.picked_up' | 'shipment.departed' | 'shipment.arrived' | 'shipment.delivered' | 'shipment.problem_reported' | 'shipment.problem_cleared', With<ShipmentChange, DateChanged>> &
  Record<'shipment.milestone_corrected', With<ShipmentChange, DateChanged & { corrects: string | null }>> &
  Record<'shipment.rolled', With<ShipmentChange, { from: Means; to: Means }>> &
  Record<'shipment.booking_updated' | 'shipment.cargo_updated' | 'shipment.goods_updated' | 'shipment.updated', ShipmentChange> &
  Record<'shipment.container_added' | 'shipment.container_updated' | 'shipment.container_removed', With<ShipmentChange, AboutContainer>> &
  Record<'shipment.invoice_status_changed', With<ShipmentChange, Turned>> &
  Record<'shipment.rerouted' | 'shipment.quote_accepted', With<ShipmentChange, Replaced>> &
  Record<'shipment.cargo_ready_date_changed' | 'shipment.desired_delivery_date_changed', With<ShipmentChange, Turned & DayMoved>> &
  Record<'shipment.references_changed', With<ShipmentChange, { orders: Delta; invoices: Delta }>> &
  Record<'tracking.event_added' | 'tracking.event_updated' | 'tracking.event_actualised' | 'tracking.event_retracted', With<TrackingChange, AboutStep>> &
  Record<'tracking.status_changed', With<TrackingChange, Turned>> &
  Record<'tracking.position_changed', With<TrackingChange, { position: PlatformRecord | null }>> &
  Record<'tracking.updated', TrackingChange> &
  Record<'invoice.created' | 'invoice.removed' | 'invoice.restored' | 'credit_note.created' | 'credit_note.removed' | 'credit_note.restored', InvoiceRecord> &
  Record<'invoice.status_changed' | 'invoice.due_date_changed' | 'credit_note.status_changed' | 'credit_note.due_date_changed', With<InvoiceChange, Turned>> &
  Record<'invoice.amount_changed' | 'credit_note.amount_changed', With<InvoiceChange, AmountChanged>> &
  Record<'invoice.updated' | 'credit_note.updated', InvoiceChange> &
  Record<'document.added' | 'document.removed' | 'document.restored', DocumentRecord> &
  Record<'document.classified' | 'document.updated', DocumentChange> &
  Record<'purchase_order.created' | 'purchase_order.removed' | 'purchase_order.restored', PurchaseOrderRecord> &
  Record<'purchase_order.assigned' | 'purchase_order.unassigned' | 'purchase_order.shipped_quantity_changed', With<PurchaseOrderChange, AboutLine>> &
  Record<'purchase_order.shipment_status_changed', With<PurchaseOrderChange, Turned & { shipment_id: string | null }>> &
  Record<'purchase_order.updated', PurchaseOrderChange> &
  Record<'location.created' | 'location.removed' | 'location.restored', LocationRecord> &
  Record<'location.updated', LocationChange> &
  Record<'order_preparation.created' | 'order_preparation.removed' | 'order_preparation.restored', OrderPreparationRecord> &
  Record<'order_preparation.updated', OrderPreparationChange> &
  Record<'shipment.delivery_at_risk' | 'shipment.delivery_back_on_track', With<ShipmentCalendar, AboutDelivery>> &
  Record<'shipment.milestone_overdue', With<ShipmentCalendar, { milestone: Milestone; hours_late: number; date: Instant }>> &
  Record<'invoice.due_soon', With<InvoiceCalendar, { lead: string; days_left: number; due_date: string }>> &
  Record<'invoice.due', With<InvoiceCalendar, { reason: 'status' | 'date'; due_date: string | null }>> &
  Record<'invoice.overdue', With<InvoiceCalendar, { days_overdue: number; due_date: string }>> &
  Record<'invoice.overdue_cleared', With<InvoiceCalendar, { due_date: string | null }>> &
  Record<'purchase_order.eta_changed', With<PurchaseOrderDerived, OrderEtaChanged>> &
  Record<'purchase_order.delivery_at_risk' | 'purchase_order.delivery_back_on_track', With<PurchaseOrderDerived, AboutOrderDelivery>> &
  Record<'purchase_order.fully_assigned', PurchaseOrderDerived> &
  Record<'purchase_order.delivered', With<PurchaseOrderDerived, { date: string | null }>> &
  Record<'expectation.missed', ExpectationEvent> &
  Record<'expectation.met', With<ExpectationEvent, { late_by: number }>> &
  Record<'expectation.withdrawn', With<ExpectationEvent, { reason: 'no_longer_expected' | 'moved' | 'removed' }>> &
  Record<'shipment.snapshot', ShipmentStanding> &
  Record<'tracking.snapshot', TrackingStanding> &
  Record<'invoice.snapshot' | 'credit_note.snapshot', InvoiceStanding> &
  Record<'document.snapshot', DocumentStanding> &
  Record<'purchase_order.snapshot', PurchaseOrderStanding> &
  Record<'location.snapshot', LocationStanding> &
  Record<'order_preparation.snapshot', OrderPreparationStanding> &
  Record<'account.baseline_completed', With<AccountService, { resource: Watchable; count: number }>> &
  Record<'account.unreachable', With<AccountService, { reason: string | null }>> &
  Record<'account.unauthorized', With<AccountService, { reason: string | null; resource?: Watchable }>> &
  Record<'account.paused', With<AccountService, { reason: string | null; until: Instant }>> &
  Record<'account.recovered', With<AccountService, Recovered & { resource?: Watchable }>> &
  Record<'account.list_incomplete', With<AccountService, { resource: Watchable; skip: number; reason: string }>> &
  Record<'account.list_stale', With<AccountService, { resource: Watchable; sampled: number; differed: number; sample: string[] }>> &
  Record<'account.clock_differs', With<AccountService, { difference_seconds: number; platform_date: Instant }>> &
  Record<'account.removals_held', With<AccountService, { resource: Watchable; reason: string; known: number; missing: number; sample: string[] }>> &
  Record<'account.schema_drift', With<AccountService, { resource: Watchable; path: string }>> &
  Record<'account.record_rejected', With<AccountService, { resource: Watchable; id: string | null; reason: string; more: number; count: number; sample: string[] }>> &
  Record<'shipbell.test', With<SubscriptionService, { subscription: string; message: string }>> &
  Record<'shipbell.watermark', With<SubscriptionService, { series: string; position: number; complete_through: number; resources?: { account: string; resource: Watchable; read_at: Instant | null }[] }>> &
  Record<'shipbell.configuration_rejected', With<ConfigurationService, { file: string; problems: string[]; more: number }>> &
  Record<'endpoint.failing' | 'endpoint.exhausted', With<SubscriptionService, Failures>> &
  Record<'endpoint.disabled', With<SubscriptionService, { reason: string | null; held: number; since: Instant | null }>> &
  Record<'endpoint.recovered', With<SubscriptionService, Recovered>> &
  Record<'endpoint.filter_failed', With<SubscriptionService, { where: string; reason: string; event_id: string; event_type: string }>>

export type EventType = keyof Events

/** The event of a type. */
export type EventOf<T extends EventType> = T extends EventType ? Events[T] & { type: T } : never

/** Any string but those of `EventType`; an enum, because no literal compares to it. */
export declare enum UnknownType {
  Unknown = 'a newer type',
}

/** An event of a type that is newer than this package. */
export interface UnknownEvent extends Envelope {
  type: UnknownType
  data: PlatformRecord
}

/** Every event. Comparing `type` to a literal leaves the event of that type alone. */
export type ShipbellEvent = EventOf<EventType> | UnknownEvent
