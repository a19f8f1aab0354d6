import { SLOT } from './budget.ts'
import { businessHours } from './business-hours.ts'

/** How urgent a unit is at an instant, per change a day that is to be expected, where it was last read at another one. */
export type Urgency = (lastReadAt: number, at: number) => number

/** λ·τ²/2 with the rate of this hour. */
export const byRateOfTheHour: Urgency = (lastReadAt, at) => (businessHours(at) * (at - lastReadAt) ** 2) / 2

/** ∫ λ(s)·(at − s) ds, how long what has changed will have waited, for a reader that knows the business hours. */
export function byBusinessHours(from: number, to: number): Urgency {
  const slots = Math.ceil((to - from) / SLOT) + 2
  const amount = new Float64Array(slots)
  const moment = new Float64Array(slots)
  for (let slot = 1; slot < slots; slot += 1) {
    const rate = businessHours(from + (slot - 1) * SLOT) * SLOT
    amount[slot] = (amount[slot - 1] ?? 0) + rate
    moment[slot] = (moment[slot - 1] ?? 0) + rate * (slot - 0.5) * SLOT
  }
  const slotOf = (at: number): number => Math.max(0, Math.round((at - from) / SLOT))
  return (lastReadAt, at) => {
    const [start, end] = [slotOf(lastReadAt), slotOf(at)]
    const changes = (amount[end] ?? 0) - (amount[start] ?? 0)
    return changes * (at - from) - ((moment[end] ?? 0) - (moment[start] ?? 0))
  }
}
