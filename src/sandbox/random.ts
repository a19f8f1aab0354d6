import { createHash } from 'node:crypto'
import { ShipbellError } from '../errors.ts'

/** A seeded stream of numbers: the same name gives the same stream on every machine. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** A number in [from, to). */
  between(from: number, to: number): number
  /** A whole number in [from, to]. */
  whole(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

/** The stream that belongs to a name. What one stream is asked never changes what another gives. */
export function randomOf(...name: readonly (string | number)[]): Random {
  const next = sfc32(createHash('sha256').update(JSON.stringify(name)).digest())
  const between = (from: number, to: number): number => from + next() * (to - from)
  return {
    next,
    between,
    whole: (from, to) => Math.floor(between(from, to + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new ShipbellError('internal', 'The sandbox picked from an empty list.')
      return item
    },
  }
}

/** sfc32 of Chris Doty-Humphrey's PractRand: 128 bits of state, 32 bits a step. */
function sfc32(seed: Buffer): () => number {
  let a = seed.readInt32LE(0)
  let b = seed.readInt32LE(4)
  let c = seed.readInt32LE(8)
  let counter = 1
  return () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
}
