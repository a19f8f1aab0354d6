import { readDay } from '../../model/iso-time.ts'
import { asText, field, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { daysBetween } from '../../model/zoned-day.ts'
import { leavesFinding, type Claims, type Finding } from '../claims.ts'
import { canonicalScalar } from '../compare/scalar.ts'
import { fromTo, type Comparison } from '../comparison.ts'

/** What happened to single fields of a shipment that have a type of their own: each claims all that changed in its field. */
export function fieldFindings(comparison: Comparison, claims: Claims): readonly Finding[] {
  return [
    ...leavesFinding('shipment.rerouted', claims.takeUnder('route'), { extras: partFromTo(comparison, 'route') }),
    ...dayFindings('cargo_ready_date', comparison, claims),
    ...dayFindings('desired_delivery_date', comparison, claims),
    ...leavesFinding('shipment.quote_accepted', claims.takeUnder('accepted_quote'), {
      extras: partFromTo(comparison, 'accepted_quote'),
    }),
    ...referenceFindings(comparison, claims),
    ...leavesFinding('shipment.goods_updated', claims.takeUnder('transported_goods')),
  ]
}

/** A part as it was and as it is; what is no object, such as a list without elements, is none. */
function partFromTo({ before, after }: Comparison, name: 'route' | 'accepted_quote'): JsonObject {
  const partOf = (shipment: JsonObject): JsonObject | null => {
    const part = field(shipment, name)
    return isJsonObject(part) ? part : null
  }
  return { from: partOf(before), to: partOf(after) }
}

function dayFindings(
  name: 'cargo_ready_date' | 'desired_delivery_date',
  comparison: Comparison,
  claims: Claims,
): readonly Finding[] {
  if (!claims.hasUnder(name)) return []
  const extras = { ...fromTo(comparison, name), shift_days: shiftDays(comparison, name) }
  return leavesFinding(`shipment.${name}_changed`, claims.takeUnder(name), { extras })
}

/** Calendar days from the day before to the day after; null where either names none. */
function shiftDays({ before, after }: Comparison, name: string): number | null {
  const [from, to] = [readDay(field(before, name)), readDay(field(after, name))]
  return from === null || to === null ? null : daysBetween(from, to)
}

const REFERENCES = { orders: 'purchase_order_references', invoices: 'invoice_references' } as const

/** One event for both lists of references: which orders and which invoices joined, and which left. */
function referenceFindings(comparison: Comparison, claims: Claims): readonly Finding[] {
  const names = Object.values(REFERENCES)
  const leaves = claims.take(({ keys }) => names.some((name) => name === keys[0]))
  if (leaves.length === 0) return []
  const extras = {
    orders: joinedAndLeft(comparison, REFERENCES.orders),
    invoices: joinedAndLeft(comparison, REFERENCES.invoices),
  }
  return leavesFinding('shipment.references_changed', leaves, { extras })
}

function joinedAndLeft({ before, after }: Comparison, name: string): JsonObject {
  const [was, is] = [referencesOf(before, name), referencesOf(after, name)]
  return { added: absentFrom(was, is), removed: absentFrom(is, was) }
}

/** The references of a list as text, by what they mean: a number and its text are one reference. */
function referencesOf(shipment: JsonObject, name: string): ReadonlyMap<string, string> {
  const value: Json = field(shipment, name) ?? []
  const texts = (isJsonArray(value) ? value : [value]).map(asText)
  return new Map(
    texts.flatMap((text) =>
      text === null || text === '' ? [] : [[canonicalScalar('identifier', text), text] as const],
    ),
  )
}

/** The references of the second list that the first does not have. */
function absentFrom(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): readonly string[] {
  return [...second].flatMap(([meaning, text]) => (first.has(meaning) ? [] : [text]))
}
