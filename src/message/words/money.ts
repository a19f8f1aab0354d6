import { isJsonObject, type Json } from '../../model/json.ts'
import { short } from './short.ts'

/** Totals per currency (`{ EUR: '120.50' }`): `EUR 120.50`; several with a plus between; a dash for none. */
export function money(totals: Json | undefined): string {
  if (totals === undefined || !isJsonObject(totals)) return short(totals)
  const sums = Object.entries(totals).map(([currency, amount]) => `${short(currency)} ${short(amount)}`)
  return sums.length === 0 ? '–' : sums.join(' + ')
}
