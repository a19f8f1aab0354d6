import { field, textField, type Json } from '../../model/json.ts'
import { moment } from '../words/moment.ts'
import { invoiceTotal } from '../words/money.ts'
import { fact, wordsOf, type MaybeFact } from './fact.ts'

/** Which invoice, over how much, and when it is to be paid. */
export function invoiceFacts(data: Json | undefined): readonly MaybeFact[] {
  const invoice = field(data, 'object')
  return [
    fact('Number', textField(invoice, 'number')),
    fact('Reference', textField(invoice, 'reference')),
    fact('Amount', invoiceTotal(invoice)),
    fact('Due date', moment(field(data, 'due_date') ?? field(invoice, 'due_date'))),
    fact('Status', wordsOf(field(invoice, 'status'))),
    fact('Sent', moment(field(invoice, 'sent_date'))),
  ]
}
