import type { Random } from '../random.ts'
import { timelineOf, type Entry, type Timeline } from './timeline.ts'
import { DAY, HOUR } from './pace.ts'

export type InvoiceStatus =
  | 'new'
  | 'available'
  | 'due'
  | 'partially_paid'
  | 'paid'
  | 'in_modification'
  | 'litigious'
  | 'write_off'

/** How an invoice comes to its end. */
export interface Collection {
  readonly status: Timeline<InvoiceStatus>
  /** Days since the Unix epoch, UTC. */
  readonly dueDay: Timeline<number>
  /** When the lines of the invoice were corrected; null: never. */
  readonly amendedAt: number | null
}

interface CollectInput {
  readonly random: Random
  readonly issuedAt: number
  readonly dueDay: number
}

/** What a payer does, and how often. */
const PAYERS = [
  'early',
  'early',
  'early',
  'on_time',
  'on_time',
  'on_time',
  'on_time',
  'late',
  'late',
  'late',
  'in_parts',
  'in_parts',
  'amended',
  'extended',
  'disputed',
  'never',
] as const

/** From issue to payment: new, available, due when the due day begins, paid: before, then, late, in parts, after a dispute, or never. */
export function collect(input: CollectInput): Collection {
  const { random, issuedAt, dueDay } = input
  const payer = random.pick(PAYERS)
  const extendedTo = payer === 'extended' ? dueDay + random.pick([7, 10, 15]) : dueDay
  const dueAt = extendedTo * DAY + random.between(0.2, 6) * HOUR
  const during = (part: number): number => issuedAt + (dueAt - issuedAt) * part
  const entries: Entry<InvoiceStatus>[] = random.chance(0.6)
    ? [
        { at: issuedAt, value: 'new' },
        { at: issuedAt + random.between(2, 30) * HOUR, value: 'available' },
      ]
    : [{ at: issuedAt, value: 'available' }]
  const amendedAt = payer === 'amended' || payer === 'disputed' ? during(random.between(0.4, 0.6)) : null
  if (amendedAt !== null) {
    entries.push(
      { at: during(0.25), value: payer === 'disputed' ? 'litigious' : 'in_modification' },
      { at: amendedAt, value: 'available' },
    )
  }
  if (payer !== 'early') entries.push({ at: dueAt, value: 'due' })
  entries.push(...payment(payer, { random, dueAt, during }))
  return {
    status: timelineOf(entries, Object.is),
    dueDay:
      extendedTo === dueDay
        ? [{ at: issuedAt, value: dueDay }]
        : [
            { at: issuedAt, value: dueDay },
            { at: during(random.between(0.3, 0.7)), value: extendedTo },
          ],
    amendedAt,
  }
}

interface Terms {
  readonly random: Random
  readonly dueAt: number
  readonly during: (part: number) => number
}

function payment(payer: (typeof PAYERS)[number], { random, dueAt, during }: Terms): readonly Entry<InvoiceStatus>[] {
  const daysAfter = (from: number, to: number): number => dueAt + random.between(from, to) * DAY
  switch (payer) {
    case 'early':
      return [{ at: during(random.between(0.35, 0.95)), value: 'paid' }]
    case 'on_time':
    case 'amended':
    case 'extended':
      return [{ at: daysAfter(0.1, 0.9), value: 'paid' }]
    case 'late':
    case 'disputed':
      return [{ at: daysAfter(2, 18), value: 'paid' }]
    case 'in_parts':
      return [
        { at: daysAfter(0.5, 4), value: 'partially_paid' },
        { at: daysAfter(5, 20), value: 'paid' },
      ]
    case 'never':
      return [{ at: daysAfter(30, 60), value: 'write_off' }]
    default:
      return payer satisfies never
  }
}
