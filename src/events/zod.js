// Made from the definitions of Shipbell's payloads by `npm run docs`.
import { z } from 'zod'

const text = z.string()
const maybe = text.nullable()
const whole = z.int()
const json = z.unknown()
const o = z.looseObject
const about = (kind, resource, { shape } = o({})) =>
  kind.extend({ subject: kind.shape.subject.extend({ resource: z.literal(resource) }), data: kind.shape.data.extend(shape) })

const Instant = text.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const Sent = z.union([text, z.number(), z.boolean(), z.tuple([])]).nullable()
const PlatformRecord = z.record(text, json)
const Subject = o({ resource: text, id: text, version: whole.min(0), previous_event_id: maybe })
const Observed = o({ not_before: Instant.nullable(), not_after: Instant })
const Placed = o({ subscription: text, series: text, position: whole.min(1) })
const Envelope = o({ id: text, type: text, timestamp: Instant, account: maybe, sequence: whole.nullable(), subject: Subject, observed: Observed.nullable(), cause: text, data: o({ links: o({ self: text }).optional() }), delivery: Placed.optional(), truncated: z.literal(true).optional() })
const Change = o({ path: text, from: json, to: json, removed: z.literal(true).optional() })
const ShipmentSummary = o({ id: text, name: maybe, status: maybe, freight_mode: maybe, purchase_order_references: z.array(text), container_numbers: z.array(text), master_bill: maybe, house_bill: maybe })
const RecordData = o({ object: PlatformRecord.optional(), shipment: ShipmentSummary.optional(), content_url: text.optional() })
const ChangeData = o({ object: PlatformRecord.optional(), shipment: ShipmentSummary.optional(), content_url: text.optional(), previous: z.record(text, json).optional(), changes: z.array(Change).optional() })
const CalendarData = o({ at: Instant, object: PlatformRecord.optional(), shipment: ShipmentSummary.optional(), late_by: whole.optional() })
const DerivedData = o({ because: maybe, object: PlatformRecord.optional(), shipment: ShipmentSummary.optional() })
const ExpectationData = o({ expectation: text, by: Instant, severity: z.enum(['neutral','warning','critical']) })
const ServiceData = o({ at: Instant })
const ExpectedDelivery = o({ date: text, status: maybe, basis: z.enum(['delivery','arrival']), shipment_id: text })
const OrderStatus = o({ expected: ExpectedDelivery.nullable(), unknown: z.array(text), desired_delivery_date: maybe, slack_days: whole.nullable(), assigned_share: z.number().nullable() })
const OfOrder = o({ order_status: OrderStatus })
const OfShipment = o({ shipment: ShipmentSummary })
const TrackingDate = o({ date: Sent.optional(), status: Sent.optional() })
const Milestone = z.enum(['pickup','departure','arrival','delivery'])
const DateChange = o({ milestone: Milestone, from: TrackingDate.nullable(), to: TrackingDate.nullable(), shift_minutes: whole.nullable(), direction: z.enum(['later','earlier','none']), first: o({ date: text, seen_at: Instant }).nullable(), drift_minutes: whole.nullable(), revision: whole.min(1) })
const DateChanged = o({ date_change: DateChange })
const Turned = o({ from: Sent, to: Sent })
const DayMoved = o({ shift_days: whole.nullable() })
const Delta = o({ added: z.array(text), removed: z.array(text) })
const AmountChanged = o({ from: z.record(text, text), to: z.record(text, text) })
const Replaced = o({ from: PlatformRecord.nullable(), to: PlatformRecord.nullable() })
const AboutContainer = o({ container: PlatformRecord.nullable() })
const AboutStep = o({ step: PlatformRecord.nullable(), event: PlatformRecord.nullable(), previous_event: PlatformRecord.nullable() })
const AboutLine = o({ line: PlatformRecord.nullable(), shipment_id: maybe })
const OrderEtaChanged = o({ from: ExpectedDelivery.nullable(), to: ExpectedDelivery.nullable(), shift_minutes: whole.nullable(), unknown: z.array(text), shipments: z.array(text) })
const AboutOrderDelivery = o({ slack_days: whole, to: ExpectedDelivery })
const AboutDelivery = o({ slack_days: whole })
const Failures = o({ reason: maybe, failures: whole, since: Instant.nullable() })
const Recovered = o({ was: maybe, down_since: Instant.nullable() })
const Watchable = z.enum(['shipments','tracking','invoices','documents','purchase_orders','locations','order_preparations'])
const Means = o({ vessel: Sent, voyage: Sent, flight_number: Sent })
const RungEvent = Envelope.extend({ subject: Envelope.shape.subject.extend({ version: whole.min(1) }) })
const ChangeEvent = RungEvent.extend({ account: text, observed: Observed, data: ChangeData })
const RecordEvent = RungEvent.extend({ account: text, observed: Observed, data: RecordData })
const CalendarEvent = RungEvent.extend({ account: text, observed: z.null(), data: CalendarData })
const DerivedEvent = RungEvent.extend({ account: text, observed: z.null(), data: DerivedData })
const ExpectationEvent = CalendarEvent.extend({ subject: CalendarEvent.shape.subject.extend({ resource: z.enum(['shipment','purchase_order','invoice']) }), data: CalendarEvent.shape.data.extend(ExpectationData.shape) })
const StandingEvent = Envelope.extend({ account: text, observed: z.null(), data: RecordData })
const ServiceEvent = RungEvent.extend({ account: maybe, observed: z.null(), data: ServiceData })
const ShipmentRecord = about(RecordEvent, 'shipment', OfShipment)
const ShipmentChange = about(ChangeEvent, 'shipment', OfShipment)
const TrackingChange = about(ChangeEvent, 'tracking')
const InvoiceRecord = about(RecordEvent, 'invoice')
const InvoiceChange = about(ChangeEvent, 'invoice')
const DocumentRecord = about(RecordEvent, 'document')
const DocumentChange = about(ChangeEvent, 'document')
const PurchaseOrderRecord = about(RecordEvent, 'purchase_order', OfOrder)
const PurchaseOrderChange = about(ChangeEvent, 'purchase_order', OfOrder)
const LocationRecord = about(RecordEvent, 'location')
const LocationChange = about(ChangeEvent, 'location')
const OrderPreparationRecord = about(RecordEvent, 'order_preparation')
const OrderPreparationChange = about(ChangeEvent, 'order_preparation')
const ShipmentCalendar = about(CalendarEvent, 'shipment', OfShipment)
const InvoiceCalendar = about(CalendarEvent, 'invoice')
const PurchaseOrderDerived = about(DerivedEvent, 'purchase_order', OfOrder)
const ShipmentStanding = about(StandingEvent, 'shipment', OfShipment)
const TrackingStanding = about(StandingEvent, 'tracking')
const InvoiceStanding = about(StandingEvent, 'invoice')
const DocumentStanding = about(StandingEvent, 'document')
const PurchaseOrderStanding = about(StandingEvent, 'purchase_order', OfOrder)
const LocationStanding = about(StandingEvent, 'location')
const OrderPreparationStanding = about(StandingEvent, 'order_preparation')
const AccountService = about(ServiceEvent, 'account')
const SubscriptionService = about(ServiceEvent, 'subscription')
const ConfigurationService = about(ServiceEvent, 'configuration')

const events = [
  [ShipmentRecord, o({}), 'shipment.created shipment.removed shipment.restored'],
  [ShipmentChange, Turned.extend({ regression: z.boolean() }), 'shipment.status_changed'],
  [ShipmentChange, DateChanged, 'shipment.pickup_date_changed shipment.etd_changed shipment.eta_changed shipment.delivery_date_changed shipment.picked_up shipment.departed shipment.arrived shipment.delivered shipment.problem_reported shipment.problem_cleared'],
  [ShipmentChange, DateChanged.extend({ corrects: maybe }), 'shipment.milestone_corrected'],
  [ShipmentChange, o({ from: Means, to: Means }), 'shipment.rolled'],
  [ShipmentChange, o({}), 'shipment.booking_updated shipment.cargo_updated shipment.goods_updated shipment.updated'],
  [ShipmentChange, AboutContainer, 'shipment.container_added shipment.container_updated shipment.container_removed'],
  [ShipmentChange, Turned, 'shipment.invoice_status_changed'],
  [ShipmentChange, Replaced, 'shipment.rerouted shipment.quote_accepted'],
  [ShipmentChange, Turned.extend(DayMoved.shape), 'shipment.cargo_ready_date_changed shipment.desired_delivery_date_changed'],
  [ShipmentChange, o({ orders: Delta, invoices: Delta }), 'shipment.references_changed'],
  [TrackingChange, AboutStep, 'tracking.event_added tracking.event_updated tracking.event_actualised tracking.event_retracted'],
  [TrackingChange, Turned, 'tracking.status_changed'],
  [TrackingChange, o({ position: PlatformRecord.nullable() }), 'tracking.position_changed'],
  [TrackingChange, o({}), 'tracking.updated'],
  [InvoiceRecord, o({}), 'invoice.created invoice.removed invoice.restored credit_note.created credit_note.removed credit_note.restored'],
  [InvoiceChange, Turned, 'invoice.status_changed invoice.due_date_changed credit_note.status_changed credit_note.due_date_changed'],
  [InvoiceChange, AmountChanged, 'invoice.amount_changed credit_note.amount_changed'],
  [InvoiceChange, o({}), 'invoice.updated credit_note.updated'],
  [DocumentRecord, o({}), 'document.added document.removed document.restored'],
  [DocumentChange, o({}), 'document.classified document.updated'],
  [PurchaseOrderRecord, o({}), 'purchase_order.created purchase_order.removed purchase_order.restored'],
  [PurchaseOrderChange, AboutLine, 'purchase_order.assigned purchase_order.unassigned purchase_order.shipped_quantity_changed'],
  [PurchaseOrderChange, Turned.extend({ shipment_id: maybe }), 'purchase_order.shipment_status_changed'],
  [PurchaseOrderChange, o({}), 'purchase_order.updated'],
  [LocationRecord, o({}), 'location.created location.removed location.restored'],
  [LocationChange, o({}), 'location.updated'],
  [OrderPreparationRecord, o({}), 'order_preparation.created order_preparation.removed order_preparation.restored'],
  [OrderPreparationChange, o({}), 'order_preparation.updated'],
  [ShipmentCalendar, AboutDelivery, 'shipment.delivery_at_risk shipment.delivery_back_on_track'],
  [ShipmentCalendar, o({ milestone: Milestone, hours_late: whole, date: Instant }), 'shipment.milestone_overdue'],
  [InvoiceCalendar, o({ lead: text, days_left: whole, due_date: text }), 'invoice.due_soon'],
  [InvoiceCalendar, o({ reason: z.enum(['status','date']), due_date: maybe }), 'invoice.due'],
  [InvoiceCalendar, o({ days_overdue: whole, due_date: text }), 'invoice.overdue'],
  [InvoiceCalendar, o({ due_date: maybe }), 'invoice.overdue_cleared'],
  [PurchaseOrderDerived, OrderEtaChanged, 'purchase_order.eta_changed'],
  [PurchaseOrderDerived, AboutOrderDelivery, 'purchase_order.delivery_at_risk purchase_order.delivery_back_on_track'],
  [PurchaseOrderDerived, o({}), 'purchase_order.fully_assigned'],
  [PurchaseOrderDerived, o({ date: maybe }), 'purchase_order.delivered'],
  [ExpectationEvent, o({}), 'expectation.missed'],
  [ExpectationEvent, o({ late_by: whole }), 'expectation.met'],
  [ExpectationEvent, o({ reason: z.enum(['no_longer_expected','moved','removed']) }), 'expectation.withdrawn'],
  [ShipmentStanding, o({}), 'shipment.snapshot'],
  [TrackingStanding, o({}), 'tracking.snapshot'],
  [InvoiceStanding, o({}), 'invoice.snapshot credit_note.snapshot'],
  [DocumentStanding, o({}), 'document.snapshot'],
  [PurchaseOrderStanding, o({}), 'purchase_order.snapshot'],
  [LocationStanding, o({}), 'location.snapshot'],
  [OrderPreparationStanding, o({}), 'order_preparation.snapshot'],
  [AccountService, o({ resource: Watchable, count: whole }), 'account.baseline_completed'],
  [AccountService, o({ reason: maybe }), 'account.unreachable'],
  [AccountService, o({ reason: maybe, resource: Watchable.optional() }), 'account.unauthorized'],
  [AccountService, o({ reason: maybe, until: Instant }), 'account.paused'],
  [AccountService, Recovered.extend({ resource: Watchable.optional() }), 'account.recovered'],
  [AccountService, o({ resource: Watchable, skip: whole, reason: text }), 'account.list_incomplete'],
  [AccountService, o({ resource: Watchable, sampled: whole, differed: whole, sample: z.array(text) }), 'account.list_stale'],
  [AccountService, o({ difference_seconds: whole, platform_date: Instant }), 'account.clock_differs'],
  [AccountService, o({ resource: Watchable, reason: text, known: whole, missing: whole, sample: z.array(text) }), 'account.removals_held'],
  [AccountService, o({ resource: Watchable, path: text }), 'account.schema_drift'],
  [AccountService, o({ resource: Watchable, id: maybe, reason: text, more: whole, count: whole, sample: z.array(text) }), 'account.record_rejected'],
  [SubscriptionService, o({ subscription: text, message: text }), 'shipbell.test'],
  [SubscriptionService, o({ series: text, position: whole, complete_through: whole, resources: z.array(o({ account: text, resource: Watchable, read_at: Instant.nullable() })).optional() }), 'shipbell.watermark'],
  [ConfigurationService, o({ file: text, problems: z.array(text), more: whole }), 'shipbell.configuration_rejected'],
  [SubscriptionService, Failures, 'endpoint.failing endpoint.exhausted'],
  [SubscriptionService, o({ reason: maybe, held: whole, since: Instant.nullable() }), 'endpoint.disabled'],
  [SubscriptionService, Recovered, 'endpoint.recovered'],
  [SubscriptionService, o({ where: text, reason: text, event_id: text, event_type: text }), 'endpoint.filter_failed'],
]

/** A schema for each type of event. */
export const eventSchemas = Object.fromEntries(
  events.flatMap(([kind, data, types]) =>
    types
      .split(' ')
      .map((type) => [type, kind.extend({ type: z.literal(type), data: kind.shape.data.extend(data.shape) })]),
  ),
)

const unknownEvent = Envelope.extend({ type: text.refine((type) => !Object.hasOwn(eventSchemas, type)) })

/** Every event: of the types in `eventSchemas`, or of one that is newer than this package. */
export const shipbellEvent = z.union([z.discriminatedUnion('type', Object.values(eventSchemas)), unknownEvent])
