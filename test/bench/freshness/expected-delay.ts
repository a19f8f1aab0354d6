import { SLOT } from './budget.ts'
import { businessHours } from './business-hours.ts'

/** How urgent a unit is that was last read at one instant, at another one, per change a day that is to be expected. */
export type Urgency = (lastReadAt: number, at: number) => number

/** λ·τ²/2 with the rate of this hour. */
export const byRateOfTheHour: Urgency = (lastReadAt, at) => (businessHours(at) * (at - lastReadAt) ** 2) / 2

/** What a reader that knows the business hours can take a rate for: integrals over them, from `from` on. */
export function byBusinessHours(from: number, to: number): Readonly<Record<'waited' | 'marginal', Urgency>> {
  const slots = Math.ceil((to - from) / SLOT) + 2
  const amount = new Float64Array(slots)
  const moment = new Float64Array(slots)
  for (let slot = 1; slot < slots; slot += 1) {
    const rate = businessHours(from + (slot - 1) * SLOT) * SLOT
    amount[slot] = (amount[slot - 1] ?? 0) + rate
    moment[slot] = (moment[slot - 1] ?? 0) + rate * (slot - 0.5) * SLOT
  }
  const between = (one: number, other: number): { readonly amount: number; readonly moment: number } => {
    const [start, end] = [one, other].map((at) => Math.max(0, Math.round((at - from) / SLOT)))
    return {
      amount: (amount[end ?? 0] ?? 0) - (amount[start ?? 0] ?? 0),
      moment: (moment[end ?? 0] ?? 0) - (moment[start ?? 0] ?? 0),
    }
  }
  return {
    /** ∫ λ(s)·(at − s) ds: how long what has changed since will have waited. */
    waited: (lastReadAt, at) => {
      const since = between(lastReadAt, at)
      return since.amount * (at - from) - since.moment
    },
    /** ∫ λ(s)·(s − last) ds: what a little more patience costs beside what it saves. */
    marginal: (lastReadAt, at) => {
      const since = between(lastReadAt, at)
      return since.moment - since.amount * (lastReadAt - from)
    },
  }
}
