import { field, textField, type Json } from '../../model/json.ts'
import { hasDate, moment } from './moment.ts'
import { shift } from './moved.ts'
import { words } from './short.ts'

/** What became of an actual date that was corrected (`data.date_change`): `is 3 days later: …, not …`, `was taken back: …`. */
export function corrected(change: Json | undefined): string {
  const [from, to] = [field(change, 'from'), field(change, 'to')]
  const was = hasDate(from) ? `, not ${moment(from)}` : ''
  if (textField(to, 'status') === 'actual' && hasDate(to)) {
    const away = shift(change)
    return `was corrected${away === null ? '' : `, ${away}`}: ${moment(to)}${was}`
  }
  if (!hasDate(to)) return `was taken back${hasDate(from) ? `; it had been told as ${moment(from)}` : ''}`
  return `was taken back: it is now ${words(field(to, 'status'))} for ${moment(to)}${was}`
}
