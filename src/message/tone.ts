import { field, type Json } from '../model/json.ts'

/** How an event sounds, for colours: `good` news, `neutral`, a `warning`, or `critical` where somebody has to act. */
export type Tone = 'good' | 'neutral' | 'warning' | 'critical'

/** Fixed for a type, or read from `data`. */
export type ToneRule = Tone | ((data: Json | undefined) => Tone)

/** A day: later is a warning, earlier is good news. */
export function toneOfDays(data: Json | undefined): Tone {
  const days = field(data, 'shift_days')
  if (typeof days !== 'number' || days === 0) return 'neutral'
  return days > 0 ? 'warning' : 'good'
}

/** A date: later is a warning, earlier is good news. */
export function toneOfShift(data: Json | undefined): Tone {
  return toneOfMinutes(field(field(data, 'date_change'), 'shift_minutes'))
}

/** How far a date moved. */
export function toneOfMinutes(minutes: Json | undefined): Tone {
  if (typeof minutes !== 'number' || minutes === 0) return 'neutral'
  return minutes > 0 ? 'warning' : 'good'
}
