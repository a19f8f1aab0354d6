import { shipmentId } from '../life/brief.ts'
import { liveOf, type Life } from '../life/life.ts'
import { randomOf } from '../random.ts'

const DAY = 86_400_000

/** At the start, shipments of the last weeks are known: the longest journeys are then spread over all their stages. */
const PAST_DAYS = 56

export interface WorldOptions {
  readonly seed: string
  /** How many shipments exist at `startAt`; as many are born in every `PAST_DAYS` after it. */
  readonly shipments: number
  /** Milliseconds since the Unix epoch. */
  readonly startAt: number
}

/** When the n-th shipment (from 0) is created; increasing with n. Infinity where a world has none. */
function birthOf(index: number, { seed, shipments, startAt }: WorldOptions): number {
  if (shipments === 0) return Infinity
  const within = randomOf(seed, 'birth', index).between(0.02, 0.98)
  return Math.floor(startAt + ((index + within) / shipments - 1) * PAST_DAYS * DAY)
}

/** The lives of a world, made when they are first looked at. What it answers depends on the time asked for, never on earlier questions. */
export class Fleet {
  readonly #options: WorldOptions
  readonly #births: number[] = []
  readonly #lives = new Map<number, Life>()

  constructor(options: WorldOptions) {
    this.#options = options
  }

  /** How many shipments have been created by `time`. */
  countBy(time: number): number {
    for (;;) {
      const next = birthOf(this.#births.length, this.#options)
      if (next > time) break
      this.#births.push(next)
    }
    let count = this.#births.length
    while ((this.#births[count - 1] ?? -Infinity) > time) count -= 1
    return count
  }

  /** The n-th in the order of creation, from 0. */
  nth(index: number): Life {
    const known = this.#lives.get(index)
    if (known !== undefined) return known
    const life = liveOf({ seed: this.#options.seed, index, bornAt: birthOf(index, this.#options) })
    this.#lives.set(index, life)
    return life
  }

  byId(id: string, time: number): Life | null {
    const index = Number(/-(\d{5,15})$/.exec(id)?.[1] ?? 0) - 1
    if (index < 0 || index >= this.countBy(time)) return null
    return shipmentId(this.#options.seed, index) === id ? this.nth(index) : null
  }
}
