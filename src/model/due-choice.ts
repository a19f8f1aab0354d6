import { dayOf } from './zoned-day.ts'

/** Which of the invoices that have yet to be paid: overdue ones, those that fall due within days from today on, or all. */
export type DueChoice =
  | { readonly kind: 'overdue' }
  | { readonly kind: 'within'; readonly days: number }
  | { readonly kind: 'any' }

/** Calendar dates, both included; null: no bound. */
export interface DueRange {
  readonly from: string | null
  readonly to: string | null
}

/** How a choice is written, for people who wrote it otherwise. */
export const DUE_CHOICES = '`overdue`, `any`, or a number of days such as `7d`'

const DAY_MS = 86_400_000

/** `overdue`, `any`, `7d`; null for any other text. */
export function readDueChoice(text: string): DueChoice | null {
  if (text === 'overdue' || text === 'any') return { kind: text }
  const [, days] = /^(\d{1,3})d$/.exec(text) ?? []
  return days === undefined ? null : { kind: 'within', days: Number(days) }
}

/** What a choice means at an instant, where an account's calendar is. */
export function dueRange(choice: DueChoice, now: number, timeZone: string): DueRange {
  const today = dayOf(now, timeZone)
  switch (choice.kind) {
    case 'overdue':
      return { from: null, to: daysAfter(today, -1) }
    case 'within':
      return { from: today, to: daysAfter(today, choice.days) }
    case 'any':
      return { from: null, to: null }
    default:
      return choice satisfies never
  }
}

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}
