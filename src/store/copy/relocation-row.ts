import { ShipbellError } from '../../errors.ts'

/** What a store knows of being copied to another place, or from one. */
export interface Relocation {
  /** The id of the copy: both stores have it. */
  readonly id: string
  /** Where the other store is, for people. */
  readonly other: string
  /**
   * - `leaving`: it is being copied, or was when that ended before its time: it is in use all the same
   * - `left`: the copy is in use in its place
   * - `arriving`: it is the copy, whole, and not yet in use
   */
  readonly state: 'leaving' | 'left' | 'arriving'
}

export interface RelocatedStore {
  readonly kind: 'file' | 'database'
  /** For people. */
  readonly place: string
}

/** Throws `store_moved` where the store is not the one in use: whoever works on it would work in vain, and beside others. */
export function refuseRelocated(relocation: Relocation | undefined, { kind, place }: RelocatedStore): void {
  if (relocation === undefined || relocation.state === 'leaving') return
  const { other, state } = relocation
  const key = kind === 'file' ? 'storage.url' : 'storage.path'
  throw new ShipbellError(
    'store_moved',
    state === 'left'
      ? `The store ${place} was moved to ${other}: name that in ${key}; here its history can still be read.`
      : `The store ${place} is a copy of ${other} that has yet to take its place: give the same \`shipbell store copy\` again, which ends it.`,
  )
}
