import { z } from 'zod'
import { choice, dateWithTime, listOf, number, part, price, simpleDate, text } from './value.ts'

const invoiceLine = part({
  category: text,
  description: text,
  price,
  quantity: part({ value: number, unit: text }),
  unit_rate: price,
  /** A percentage, spelled exactly so. */
  vatRate: number,
})

/** An invoice, in its list and alone. */
export const invoiceSchema = z.looseObject({
  reference: text,
  number: text,
  platform_shipment_id: text,
  type: choice<'invoice' | 'credit_note'>(),
  status: choice<
    'available' | 'due' | 'in_modification' | 'litigious' | 'new' | 'paid' | 'partially_paid' | 'write_off'
  >(),
  sent_date: dateWithTime,
  due_date: simpleDate,
  lines: listOf(invoiceLine),
  usd_to_eur_rate: number,
})
