import { totalsDifference } from '../../model/invoice-totals.ts'
import { field, isJsonObject, textField, type Json } from '../../model/json.ts'
import { carriage } from '../words/carriage.ts'
import { moment } from '../words/moment.ts'
import { money, moneyMoves } from '../words/money.ts'
import { shift } from '../words/moved.ts'
import { span } from '../words/span.ts'
import { fact, wordsOf, type MaybeFact } from './fact.ts'

/** From what to what, how far, and how late it is told. */
export function changeFacts(payload: Json): readonly MaybeFact[] {
  const type = textField(payload, 'type') ?? ''
  const data = field(payload, 'data')
  const change = field(data, 'date_change')
  const [from, to] =
    change === undefined ? [field(data, 'from'), field(data, 'to')] : [field(change, 'from'), field(change, 'to')]
  const late = field(data, 'late_by')
  return [
    fact('From', sideOf(type, from)),
    fact('To', sideOf(type, to)),
    fact('Moved', shift(change)),
    fact('Difference', type.endsWith('.amount_changed') ? differenceOf(from, to) : null),
    fact('First told', driftOf(change)),
    fact('Told late by', typeof late === 'number' && late > 0 ? span(late) : null),
  ]
}

function sideOf(type: string, side: Json | undefined): string | null {
  if (type.endsWith('.amount_changed')) return side === undefined ? null : money(side)
  if (type === 'shipment.rolled') return side === undefined ? null : carriage(side)
  return type.endsWith('status_changed') ? wordsOf(side) : moment(side)
}

function differenceOf(from: Json | undefined, to: Json | undefined): string | null {
  return from !== undefined && to !== undefined && isJsonObject(from) && isJsonObject(to)
    ? moneyMoves(totalsDifference(from, to))
    : null
}

/** Only where it is not what `From` says already. */
function driftOf(change: Json | undefined): string | null {
  const first = textField(field(change, 'first'), 'date')
  return first === null || first === textField(field(change, 'from'), 'date') ? null : moment(first)
}
