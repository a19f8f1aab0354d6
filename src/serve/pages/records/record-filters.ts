import { DUE_CHOICES, readDueChoice, type DueChoice } from '../../../model/due-choice.ts'
import type { RecordResource } from '../../../model/resource.ts'
import { SHIPMENT_STATUSES } from '../../../model/shipment.ts'
import { valueOf, type Address } from '../parts/address.ts'
import { FieldProblem } from '../parts/field-problems.ts'
import { choicesOf, type FilterField } from '../parts/filters.ts'
import type { View } from '../show-page.ts'

/** The platform's words for how a record stands (its interface, "States and transitions"). */
const STATUSES: Readonly<Partial<Record<RecordResource, readonly string[]>>> = {
  shipment: [...SHIPMENT_STATUSES, 'cancelled'],
  invoice: ['new', 'available', 'due', 'partially_paid', 'paid', 'in_modification', 'litigious', 'write_off'],
}

/** Throws `FieldProblem`. */
export function dueChoiceOf(address: Address): DueChoice | null {
  const value = valueOf(address, 'due')
  const choice = value === null ? null : readDueChoice(value)
  if (value !== null && choice === null) throw new FieldProblem('due', `It must be ${DUE_CHOICES}.`)
  return choice
}

export function orderOf(address: Address): string {
  if (valueOf(address, 'q') !== null) return 'Exact finds first'
  return valueOf(address, 'due') === null ? 'Newest change first' : 'Soonest due first'
}

const DUE: FilterField = {
  kind: 'choice',
  name: 'due',
  label: 'Due',
  choices: [
    { value: 'overdue', label: 'Overdue' },
    { value: '7d', label: 'In 7 days' },
    { value: '30d', label: 'In 30 days' },
    { value: 'any', label: 'All that are open' },
  ],
}

const HINTS: Readonly<Partial<Record<RecordResource, string>>> = {
  shipment: 'Id, name, order, container, bill, reference',
  invoice: 'Reference, number, shipment',
}

/** What a list of records is narrowed by. */
export function fieldsFor(resource: RecordResource, { desk }: View): readonly FilterField[] {
  const accounts = desk.accounts().map(({ name }) => name)
  const statuses = STATUSES[resource]
  return [
    { kind: 'search', name: 'q', label: 'Text', hint: HINTS[resource] ?? 'Id, name, shipment' },
    ...(accounts.length > 1 ? [choice('account', 'Account', accounts)] : []),
    ...(statuses === undefined ? [] : [choice('status', 'Status', statuses)]),
    ...(resource === 'invoice' ? [DUE] : []),
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
