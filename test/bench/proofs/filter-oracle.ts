import type { Change } from './moving-accounts.ts'

/** What a subscription lets pass; what is left out, or null, lets all pass. */
export interface Passing {
  readonly types?: readonly Change['type'][]
  readonly accounts?: readonly string[] | null
  readonly modes?: readonly string[]
  readonly shiftHours?: number
}

/** Says which changes must be sent, by what the documentation says of `events`, `accounts`, `where` and `min_shift`. */
export class FilterOracle {
  readonly expected = new Set<string>()
  /** The arrival that was told last of a shipment; where none was, the one that it first changed from. */
  readonly #told = new Map<string, number>()

  /** Whether a change must be sent. */
  take({ account, from, id, mode, to, type, version }: Change, passing: Passing): boolean {
    const { accounts, modes, shiftHours, types } = passing
    if (accounts?.includes(account) === false) return false
    const isShift = type === 'shipment.eta_changed' && shiftHours !== undefined
    const base = this.#told.get(id)
    const isFar = !isShift || Math.abs(to - (base ?? from)) >= shiftHours
    const passes = isFar && types?.includes(type) !== false && modes?.includes(mode) !== false
    if (passes) this.expected.add(`${id}/${version}`)
    if (isShift && (passes || base === undefined)) this.#told.set(id, passes ? to : from)
    return passes
  }

  /** Without `min_shift` nothing is remembered of dates. */
  forget(): void {
    this.#told.clear()
  }
}
