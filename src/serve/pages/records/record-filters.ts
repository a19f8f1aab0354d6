import { INVOICE_STATUSES } from '../../../model/invoice.ts'
import { LIST_RULES, orderText, type RecordFilter } from '../../../model/record-order.ts'
import type { RecordResource } from '../../../model/resource.ts'
import { NAMED_SHIPMENT_STATUSES } from '../../../model/shipment.ts'
import type { AskedList } from '../../lists/list-query.ts'
import { say } from '../languages/say.ts'
import { choicesOf, type FilterField } from '../parts/filters.ts'
import type { View } from '../show-page.ts'

/** The platform's words for how a record stands (its interface, "States and transitions"). */
const STATUSES: Readonly<Partial<Record<RecordResource, readonly string[]>>> = {
  shipment: NAMED_SHIPMENT_STATUSES,
  invoice: INVOICE_STATUSES,
}

const ORDERS = {
  eta: ['Earliest arrival first', 'Latest arrival first'],
  drift: ['Earliest against what was seen first', 'Latest against what was seen first'],
  name: ['By name', 'By name, from the end'],
  last_event: ['Oldest change first', 'Newest change first'],
} as const

/** Orders are desired on a day, which stands in place of what was seen first. */
const ORDERS_OF_ORDERS = {
  ...ORDERS,
  eta: ['Earliest expected delivery first', 'Latest expected delivery first'],
  drift: ['Earliest against what is desired first', 'Latest against what is desired first'],
  name: ['By supplier', 'By supplier, from the end'],
} as const

/** How a list is sorted, as its title says it. */
export function orderTitle({ due, order, q, resource }: AskedList['query']): string {
  const titles = resource === 'purchase_order' ? ORDERS_OF_ORDERS : ORDERS
  if (order !== undefined) return titles[order.by][order.isDescending ? 1 : 0]
  if (q !== undefined) return 'Exact finds first'
  return due === undefined ? 'Newest change first' : 'Soonest due first'
}

/** The fields in the language of whoever looks. */
const fields = (): Readonly<Record<RecordFilter, FilterField>> => ({
  carrier: { kind: 'text', name: 'carrier', label: 'Carrier', hint: 'MAERSK' },
  lane: { kind: 'text', name: 'lane', label: 'Lane', hint: 'Shanghai - Rotterdam' },
  mode: { kind: 'choice', name: 'mode', label: 'Mode', choices: choicesOf(['air', 'ocean', 'rail', 'truck']) },
  arrives_after: { kind: 'date', name: 'arrives_after', label: 'Arrives from' },
  arrives_before: { kind: 'date', name: 'arrives_before', label: 'Arrives until' },
  open: {
    kind: 'choice',
    name: 'open',
    label: 'Open',
    choices: [
      { value: 'true', label: say('Open') },
      { value: 'false', label: say('Over') },
    ],
  },
  due: {
    kind: 'choice',
    name: 'due',
    label: 'Due',
    choices: [
      { value: 'overdue', label: say('Overdue') },
      { value: '7d', label: say('In 7 days') },
      { value: '30d', label: say('In 30 days') },
      { value: 'any', label: say('All that are open') },
    ],
  },
})

const HINTS: Readonly<Partial<Record<RecordResource, string>>> = {
  shipment: 'Id, name, order, container, bill, reference',
  invoice: 'Reference, number, shipment',
}

/** What a list of records is narrowed by. */
export function fieldsFor({ order, resource }: AskedList['query'], { desk }: View): readonly FilterField[] {
  const accounts = desk.accounts().map(({ name }) => name)
  const statuses = STATUSES[resource]
  const own = fields()
  return [
    { kind: 'search', name: 'q', label: 'Text', hint: HINTS[resource] ?? 'Id, name, shipment' },
    ...(accounts.length > 1 ? [choice('account', 'Account', accounts)] : []),
    ...(statuses === undefined ? [] : [choice('status', 'Status', statuses)]),
    ...LIST_RULES[resource].filters.map((name) => own[name]),
    ...(order === undefined ? [] : [{ kind: 'hidden', name: 'sort', value: orderText(order) } as const]),
  ]
}

function choice(name: string, label: string, values: readonly string[]): FilterField {
  return {
    kind: 'choice',
    name,
    label,
    choices: name === 'account' ? values.map((value) => ({ value, label: value })) : choicesOf(values),
  }
}
