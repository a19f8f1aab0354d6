import { units } from '../wording/numbers.ts'
import { AS_SENT, type Wording } from '../wording/wording.ts'

const HOUR = 60
const DAY = 1_440

/** A length of time in its two largest units: `3 days`, `1 day 4 hours`, `25 minutes`. */
export function span(minutes: number, wording: Wording = AS_SENT): string {
  const rounded = Math.abs(Math.round(minutes))
  const parts = [
    { amount: Math.floor(rounded / DAY), unit: 'day' },
    { amount: Math.floor((rounded % DAY) / HOUR), unit: 'hour' },
    { amount: rounded % HOUR, unit: 'minute' },
  ] as const
  const from = parts.findIndex(({ amount }) => amount > 0)
  if (from === -1) return wording.terms.dates.moments
  return parts
    .slice(from, from + 2)
    .filter(({ amount }) => amount > 0)
    .map(({ amount, unit }) => units(amount, unit, wording))
    .join(' ')
}

/** `1 day`, `3 days`. */
export function counted(amount: number, unit: string): string {
  return `${amount} ${unit}${Math.abs(amount) === 1 ? '' : 's'}`
}
