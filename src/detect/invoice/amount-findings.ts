import type { EventType } from '../../model/event-catalogue.ts'
import { field, isJsonArray, type Json, type JsonObject } from '../../model/json.ts'
import type { Claims } from '../claims.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import type { Pair } from '../compare/pair.ts'
import type { Comparison } from '../comparison.ts'
import { leavesFinding, type Finding } from '../finding.ts'
import { sameTotals, totalsByCurrency } from '../../model/invoice-totals.ts'

/** All of `lines` where money changed; otherwise the lines are left to `*.updated`. */
export function amountFindings(type: EventType, { before, after }: Comparison, claims: Claims): readonly Finding[] {
  const changesMoney = moneyChanged(claims.peekUnder('lines'))
  if (!changesMoney) return []
  const extras = { from: totalsByCurrency(linesOf(before)), to: totalsByCurrency(linesOf(after)) }
  return leavesFinding(type, claims.takeUnder('lines'), { extras })
}

/**
 * A VAT rate of a line changed, or a total per currency (contract section 4). Only lines whose price or rate changed count, so that float noise in the others moves no total.
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
