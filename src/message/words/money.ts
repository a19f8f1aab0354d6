import { totalsByCurrency, withoutNoise } from '../../model/invoice.ts'
import { field, isJsonArray, isJsonObject, textField, type Json, type JsonObject } from '../../model/json.ts'
import { countOf, decimal } from '../wording/numbers.ts'
import { AS_SENT, filled, type Wording } from '../wording/wording.ts'
import { short } from './short.ts'

const MOST_CURRENCIES = 3
/** ISO 4217: currencies whose smallest unit is not a hundredth. */
const DECIMALS: Readonly<Record<string, number>> = { BHD: 3, JPY: 0, KRW: 0, KWD: 3, XOF: 0, XPF: 0 }

/** Totals per currency (`{ EUR: '1250.5' }`): `EUR 1,250.50`; several with a plus between; a dash for none. Digits stay, but for float noise. */
export function money(totals: Json | undefined, wording: Wording = AS_SENT): string {
  if (totals === undefined || !isJsonObject(totals)) return short(totals)
  return sum(totals, { show: (text, currency) => amount(text, currency, wording), separator: ' + ' }, wording)
}

/** What an invoice comes to, exactly; '' where its lines say nothing. */
export function invoiceTotal(invoice: Json | undefined, wording: Wording = AS_SENT): string {
  const lines = field(invoice, 'lines')
  const totals = lines !== undefined && isJsonArray(lines) ? totalsByCurrency(lines) : {}
  return Object.keys(totals).length === 0 ? '' : money(totals, wording)
}

/** Moves of totals, with their sign: `EUR +50.50, USD -3.00`; '' where there are none. */
export function moneyMoves(moves: JsonObject, wording: Wording): string {
  if (Object.keys(moves).length === 0) return ''
  const signed = (text: string, currency: string): string => {
    const shown = amount(text, currency, wording)
    return shown.startsWith('-') ? shown : `+${shown}`
  }
  return sum(moves, { show: signed, separator: ', ' }, wording)
}

interface SumStyle {
  readonly show: (text: string, currency: string) => string
  readonly separator: string
}

function sum(totals: JsonObject, { show, separator }: SumStyle, wording: Wording): string {
  const { terms } = wording
  const all = Object.keys(totals)
  if (all.length === 0) return '–'
  const shown = all.slice(0, MOST_CURRENCIES).map((currency) =>
    filled(terms.money.amount, {
      currency: currency === 'XXX' ? terms.money.noCurrency : short(currency),
      amount: show(textField(totals, currency) ?? short(totals[currency]), currency),
    }),
  )
  const more = all.length - shown.length
  return `${shown.join(separator)}${more > 0 ? countOf(more, 'moreCurrencies', wording) : ''}`
}

/** `1,250.50`: at least the currency's decimals, never fewer digits than there are, but for float noise. */
function amount(text: string, currency: string, wording: Wording): string {
  const written = isAmount(text) ? withoutNoise(text) : text
  if (!isAmount(written)) return short(text)
  return decimal(written, Object.hasOwn(DECIMALS, currency) ? (DECIMALS[currency] ?? 2) : 2, wording)
}

function isAmount(text: string): text is `${number}` {
  return /^-?\d{1,30}(?:\.\d{1,30})?$/.test(text)
}
