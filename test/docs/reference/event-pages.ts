import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { SAMPLE_PUBLIC_URL } from '../../../src/model/sample-account.ts'
import { EVENT_CATALOGUE, type EventType } from '../../../src/model/event-catalogue.ts'
import { payloadBody } from '../../../src/model/payload.ts'
import { table } from './markdown.ts'

/** In the order of the index. The prefix of a type is its page. */
const FAMILIES = [...new Set(EVENT_CATALOGUE.map(({ type }) => familyOf(type)))]

/** An index of all event types, and a page for each family with an example of every type. */
export function eventPages(): readonly (readonly [string, string])[] {
  return [
    ['docs/reference/events.md', indexPage()],
    ...FAMILIES.map((family) => [`docs/reference/events/${family}.md`, familyPage(family)] as const),
  ]
}

function indexPage(): string {
  const sections = FAMILIES.map((family) => {
    const rows = typesOf(family).map(({ type, when }) => [link(type), when])
    return `## \`${family}.*\`\n\n${table(['type', 'rings'], rows)}`
  })
  const wanted = WANTED.map(([what, ...types]) => [what, types.map(link).join(', ')])
  return `${INDEX_HEAD}\n${table(['I want to know when …', 'type'], wanted)}\n${PATTERNS}\n${sections.join('\n')}`
}

const INDEX_HEAD = `# Events

Every event type; each links to an example. \`npm run docs\` writes this page from the catalogue that \`shipbell events types\` prints.
[payload.md](payload.md) explains the fields that all events have.
`

/** What people ask for, and the types that tell them. */
const WANTED: readonly (readonly [what: string, ...types: EventType[]])[] = [
  ['a shipment leaves, arrives or is delivered', 'shipment.departed', 'shipment.arrived', 'shipment.delivered'],
  ['the estimate of arrival or delivery moves', 'shipment.eta_changed', 'shipment.delivery_date_changed'],
  ['it will come later than was asked for', 'shipment.delivery_at_risk', 'shipment.delivery_back_on_track'],
  ['a date passes and nothing happens', 'shipment.milestone_overdue'],
  ['something goes wrong on the way', 'shipment.problem_reported', 'shipment.problem_cleared'],
  ['it goes on another vessel or flight', 'shipment.rolled'],
  ['it goes another way', 'shipment.rerouted'],
  ['the cargo is ready earlier or later', 'shipment.cargo_ready_date_changed'],
  ['the customer wants it on another day', 'shipment.desired_delivery_date_changed'],
  ['carrier, bills or booking number are there', 'shipment.booking_updated'],
  ['a quote is accepted', 'shipment.quote_accepted'],
  ['orders or invoices join a shipment', 'shipment.references_changed'],
  ['a container passes a gate, is loaded, is unloaded', 'tracking.event_added', 'tracking.event_actualised'],
  ['an order will come later, or sooner', 'purchase_order.eta_changed'],
  ['an order will be late, or no longer', 'purchase_order.delivery_at_risk', 'purchase_order.delivery_back_on_track'],
  ['all of an order is on shipments, or delivered', 'purchase_order.fully_assigned', 'purchase_order.delivered'],
  ['an order line is put on a shipment, or taken off', 'purchase_order.assigned', 'purchase_order.unassigned'],
  ['the shipment of an order moves on', 'purchase_order.shipment_status_changed'],
  ['an invoice comes, or its amount changes', 'invoice.created', 'invoice.amount_changed'],
  ['an invoice is to be paid, or was not', 'invoice.due_soon', 'invoice.due', 'invoice.overdue'],
  ['a document is there', 'document.added', 'document.classified'],
  ['what should have happened did not', 'expectation.missed', 'expectation.met'],
  ['Shipbell does not see the platform', 'account.unreachable', 'account.unauthorized', 'account.recovered'],
  ['a list of the platform shows old rows', 'account.list_stale', 'account.recovered'],
  ['an endpoint does not take its events', 'endpoint.failing', 'endpoint.disabled'],
]

const PATTERNS = `A subscription names types exactly (\`invoice.due\`), by prefix (\`shipment.*\`), or all of them (\`*\`). \`*\` leaves out service events:
\`account.*\`, \`endpoint.*\` and \`shipbell.test\` are heard only where they are named. \`shipment.updated\`, named exactly, hears the six types from \`shipment.rerouted\` to
\`shipment.goods_updated\` too: they were a part of it.
`

function familyPage(family: string): string {
  const examples = typesOf(family).map(
    ({ type, when }) => `## ${type}\n\n${when}\n\n\`\`\`json event=${type}\n${example(type)}\n\`\`\`\n`,
  )
  return `# Events: \`${family}.*\`

An example of each type, as \`payload: thin\` sends it. \`payload: full\`, the default, adds \`object\`, \`previous\` and \`changes\` to \`data\`
where the event has them: see [payload.md](../payload.md). \`npm run docs\` writes this page.

${examples.join('\n')}`
}

function example(type: EventType): string {
  const body: unknown = JSON.parse(
    payloadBody(sampleEvent(type), { payload: 'thin', format: 'standard', publicUrl: SAMPLE_PUBLIC_URL }),
  )
  return JSON.stringify(body, null, 2)
}

function typesOf(family: string) {
  return EVENT_CATALOGUE.filter(({ type }) => familyOf(type) === family)
}

function familyOf(type: string): string {
  return type.split('.')[0] ?? type
}

function link(type: EventType): string {
  return `[\`${type}\`](events/${familyOf(type)}.md#${anchor(type)})`
}

function anchor(type: string): string {
  return type.replaceAll('.', '')
}
