import type { EventType } from '../../model/event-catalogue.ts'
import { formatInstant } from '../../model/instant.ts'
import { dueDateInForce, invoiceKind, sameTotals, totalsByCurrency } from '../../model/invoice.ts'
import { field, isJsonArray, textField, type Json, type JsonObject } from '../../model/json.ts'
import { Claims, leavesFinding, type Finding } from '../claims.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'
import { DATE, NUMBER, objectOf, setOf, type Shape } from '../compare/shape.ts'
import { MEASURE, PRICE } from '../compare/value-shapes.ts'
import { fromTo, type Comparison, type ResourceRules } from '../comparison.ts'

/** What the fields of an invoice mean; those not named follow the general rules. */
const INVOICE_SHAPE: Shape = objectOf({
  due_date: DATE,
  lines: setOf(objectOf({ price: PRICE, quantity: MEASURE, unit_rate: PRICE, vatRate: NUMBER }), {
    descriptive: ['category', 'description'],
  }),
  usd_to_eur_rate: NUMBER,
})

type Suffix = 'created' | 'status_changed' | 'due_date_changed' | 'amount_changed' | 'updated'

function typeOf(invoice: JsonObject, suffix: Suffix): EventType {
  return `${invoiceKind(invoice)}.${suffix}`
}

export const invoiceRules: ResourceRules = {
  shape: INVOICE_SHAPE,
  isIdentity: (name) => name === 'reference',
  learn: ({ memory }) => memory,
  appeared: ({ sent }) => [{ type: typeOf(sent, 'created'), about: { kind: 'record' }, extras: {} }],
  changed: (comparison, leaves) => {
    const { sent } = comparison
    const claims = new Claims(leaves)
    return [
      ...leavesFinding(typeOf(sent, 'status_changed'), claims.takeUnder('status'), {
        extras: fromTo(comparison, 'status'),
      }),
      ...becameDueFindings(comparison),
      ...leavesFinding(typeOf(sent, 'due_date_changed'), claims.takeUnder('due_date'), {
        extras: fromTo(comparison, 'due_date'),
      }),
      ...amountFindings(typeOf(sent, 'amount_changed'), comparison, claims),
      ...leavesFinding(typeOf(sent, 'updated'), claims.takeRest()),
    ]
  },
}

/** All of `lines` where money changed; otherwise the lines are left to `*.updated`. */
function amountFindings(type: EventType, { before, after }: Comparison, claims: Claims): readonly Finding[] {
  const changesMoney = moneyChanged(claims.peekUnder('lines'))
  if (!changesMoney) return []
  const extras = { from: totalsByCurrency(linesOf(before)), to: totalsByCurrency(linesOf(after)) }
  return leavesFinding(type, claims.takeUnder('lines'), { extras })
}

/**
 * A VAT rate of a line changed, or a total per currency (guarantee E5). Only lines whose price or rate changed count, so that float noise in the others moves no total.
 */
function moneyChanged(leaves: readonly LeafChange[]): boolean {
  const priced = leaves.filter((leaf) => isPriceLeaf(leaf) || isRateLeaf(leaf))
  if (priced.some((leaf) => isRateLeaf(leaf) && isPaired(leaf.pairs[0]))) return true
  const lines = new Set(priced.map((leaf) => leaf.pairs[0]))
  const was = [...lines].flatMap((pair) => pair?.before?.value ?? [])
  const is = [...lines].flatMap((pair) => pair?.after?.value ?? [])
  return !sameTotals(was, is)
}

/** Keys of a line's leaf: `lines`, the line's key, then its own path. */
function isPriceLeaf({ keys }: LeafChange): boolean {
  return keys[2] === 'price' && (keys[3] === 'amount' || keys[3] === 'currency')
}

function isRateLeaf({ keys }: LeafChange): boolean {
  return keys[2] === 'vatRate'
}

function isPaired(pair: Pair | undefined): boolean {
  return pair !== undefined && pair.before !== null && pair.after !== null
}

function linesOf(invoice: JsonObject): readonly Json[] {
  const lines = field(invoice, 'lines')
  return isJsonArray(lines) ? lines : []
}

/** `invoice.due` by status: once per due date, and not where the due day itself has rung (guarantee E7). */
function becameDueFindings({ before, after, at, learnt, memory }: Comparison): readonly Finding[] {
  if (field(after, 'type') !== 'invoice') return []
  if (field(after, 'status') !== 'due' || field(before, 'status') === 'due') return []
  const dueDate = dueDateInForce(after, learnt) ?? textField(after, 'due_date')
  const edge = (reason: 'status' | 'date'): string => `due/${dueDate ?? 'none'}/${reason}`
  const rung = memory.rung ?? []
  if (rung.includes(edge('status')) || rung.includes(edge('date'))) return []
  return [
    {
      type: 'invoice.due',
      about: { kind: 'rule', edge: [edge('status')] },
      extras: { reason: 'status', due_date: dueDate, at: formatInstant(at) },
      remember: (known) => ({ ...known, rung: [...(known.rung ?? []), edge('status')] }),
    },
  ]
}
