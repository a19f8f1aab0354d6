import { totalsDifference } from '../../model/invoice.ts'
import { field, isJsonObject, textField, type Json } from '../../model/json.ts'
import { carriage, portsOf } from '../words/journey.ts'
import { isSameMoment, moment } from '../words/moment.ts'
import { money, moneyMoves } from '../words/money.ts'
import { dayShift, shift } from '../words/moved.ts'
import { span } from '../words/span.ts'
import type { Wording } from '../wording/wording.ts'
import { fact, wordsOf, type MaybeFact } from './fact.ts'

/** From what to what, how far, and how late it rang. */
export function changeFacts(payload: Json, wording: Wording): readonly MaybeFact[] {
  const data = field(payload, 'data')
  const change = field(data, 'date_change')
  const late = field(data, 'late_by')
  return [
    ...(change === undefined ? valueFacts(payload, wording) : dateFacts(change, wording)),
    fact('told_late_by', typeof late === 'number' && late > 0 ? span(late, wording) : null),
  ]
}

/** A date that only got another status is shown once. */
function dateFacts(change: Json, wording: Wording): readonly MaybeFact[] {
  const [from, to] = [field(change, 'from'), field(change, 'to')]
  if (isSameMoment(from, to))
    return [
      fact('from', wordsOf(field(from, 'status'), wording)),
      fact('to', wordsOf(field(to, 'status'), wording)),
      fact('date', moment(to, wording)),
      fact('first_known', driftOf(change, wording)),
    ]
  return [
    fact('from', moment(from, wording)),
    fact('to', moment(to, wording)),
    fact('moved', shift(change, wording)),
    fact('first_known', driftOf(change, wording)),
  ]
}

function valueFacts(payload: Json, wording: Wording): readonly MaybeFact[] {
  const type = textField(payload, 'type') ?? ''
  const data = field(payload, 'data')
  const [from, to] = [field(data, 'from'), field(data, 'to')]
  return [
    fact('from', sideOf(type, from, wording)),
    fact('to', sideOf(type, to, wording)),
    fact('moved', dayShift(data, wording)),
    fact('difference', type.endsWith('.amount_changed') ? differenceOf(from, to, wording) : null),
  ]
}

function sideOf(type: string, side: Json | undefined, wording: Wording): string | null {
  if (type.endsWith('.amount_changed')) return side === undefined ? null : money(side, wording)
  if (type === 'shipment.rerouted') return portsOf(side)
  if (type === 'shipment.quote_accepted') return textField(side, 'id')
  if (type === 'shipment.rolled') return side === undefined ? null : carriage(side, wording)
  return type.endsWith('status_changed') ? wordsOf(side, wording) : moment(side, wording)
}

function differenceOf(from: Json | undefined, to: Json | undefined, wording: Wording): string | null {
  return from !== undefined && to !== undefined && isJsonObject(from) && isJsonObject(to)
    ? moneyMoves(totalsDifference(from, to), wording)
    : null
}

/** How far the date went in all, where that is not what `From` says already. */
function driftOf(change: Json, wording: Wording): string | null {
  const first = field(change, 'first')
  return isSameMoment(first, field(change, 'from')) ? null : moment(first, wording)
}
