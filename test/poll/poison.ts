import type { Trouble } from '../support/trouble.ts'
import type { Polling } from './polling.ts'

/** Part of a list that is asked for. */
interface Part {
  readonly skip: number
  readonly take: number
}

/** Whatever asks for one of the rows fails, and the page with it. */
export function poison(
  polling: Polling,
  rows: readonly number[],
  kind: 'broken' | 'garbled' | 'unreachable' = 'broken',
): void {
  poisoned(polling, ({ skip, take }) => rows.some((row) => skip <= row && row < skip + take), kind)
}

/** Shipments that are asked for so fail. */
export function poisoned(
  polling: Polling,
  isBad: (part: Part) => boolean,
  kind: 'broken' | 'garbled' | 'unreachable' = 'broken',
): void {
  const trouble: Trouble = { kind }
  polling.platform.trouble = (_what, asked) =>
    asked.id === null && asked.resource === 'shipment' && isBad(asked) ? trouble : null
}

/** From the first request for this on, everything fails. */
export function failFrom(polling: Polling, first: string): void {
  let isDown = false
  polling.platform.trouble = (what) => {
    isDown ||= what === first
    return isDown ? { kind: 'broken' } : null
  }
}
