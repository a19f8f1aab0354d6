import { hash } from 'node:crypto'

/** How much the store of the bench holds. */
export interface DeskSize {
  readonly shipments: number
  readonly events: number
}

export const FULL: DeskSize = { shipments: 100_000, events: 1_000_000 }
export const SMALL: DeskSize = { shipments: 2_000, events: 20_000 }

/** Of which the tracking is read. */
export function liveOf({ shipments }: DeskSize): number {
  return shipments / 4
}

/** One account has four fifths of all shipments; the last has none of them, and changes while the bench measures. */
export const ACCOUNTS = ['large', 'north', 'east', 'south', 'west'] as const
export const BUSY = 'busy'
const ONE_IN = 20

export function accountOf(n: number): (typeof ACCOUNTS)[number] {
  return ACCOUNTS[Math.max(0, (n % ONE_IN) - (ONE_IN - ACCOUNTS.length))] ?? 'large'
}

/** Subscriptions beside `erp`, which hears everything; each hears an eighth. */
export const OTHERS = ['crm', 'wms', 'tms', 'bi', 'portal', 'failing', 'off', 'shaky'] as const

/** The same for builds that make the same store. */
export function fingerprintOf(texts: readonly string[]): string {
  return hash('sha256', texts.join('\n')).slice(0, 16)
}
