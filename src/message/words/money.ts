import { totalsByCurrency } from '../../model/invoice.ts'
import { field, isJsonArray, isJsonObject, textField, type Json, type JsonObject } from '../../model/json.ts'
import { short } from './short.ts'

const MOST_CURRENCIES = 3
const AMOUNT = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/
/** ISO 4217: currencies whose smallest unit is not a hundredth. */
const DECIMALS: Readonly<Record<string, number>> = { BHD: 3, JPY: 0, KRW: 0, KWD: 3, XOF: 0, XPF: 0 }

/** Totals per currency (`{ EUR: '1250.5' }`): `EUR 1,250.50`; several with a plus between; a dash for none. Digits stay exact. */
export function money(totals: Json | undefined): string {
  if (totals === undefined || !isJsonObject(totals)) return short(totals)
  return sum(totals, amount, ' + ')
}

/** What an invoice comes to, exactly; '' where its lines say nothing. */
export function invoiceTotal(invoice: Json | undefined): string {
  const lines = field(invoice, 'lines')
  const totals = lines !== undefined && isJsonArray(lines) ? totalsByCurrency(lines) : {}
  return Object.keys(totals).length === 0 ? '' : money(totals)
}

/** Moves of totals, with their sign: `EUR +50.50, USD -3.00`; '' where there are none. */
export function moneyMoves(moves: JsonObject): string {
  return Object.keys(moves).length === 0 ? '' : sum(moves, signed, ', ')
}

function signed(text: string, currency: string): string {
  const shown = amount(text, currency)
  return shown.startsWith('-') ? shown : `+${shown}`
}

function sum(totals: JsonObject, show: (text: string, currency: string) => string, separator: string): string {
  const all = Object.keys(totals)
  if (all.length === 0) return '–'
  const shown = all.slice(0, MOST_CURRENCIES).map((currency) => {
    const name = currency === 'XXX' ? '(no currency)' : short(currency)
    return `${name} ${show(textField(totals, currency) ?? short(totals[currency]), currency)}`
  })
  const more = all.length - shown.length
  return `${shown.join(separator)}${more > 0 ? ` and ${more} more currencies` : ''}`
}

/** `1,250.50`: at least the currency's decimals, never fewer digits than there are. */
function amount(text: string, currency: string): string {
  const [, sign = '', whole, fraction = ''] = AMOUNT.exec(text) ?? []
  if (whole === undefined) return short(text)
  const decimals = fraction.padEnd(Object.hasOwn(DECIMALS, currency) ? (DECIMALS[currency] ?? 2) : 2, '0')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return decimals === '' ? `${sign}${grouped}` : `${sign}${grouped}.${decimals}`
}
