import type { World } from '../world/world.ts'

/** What the endpoints are about: a world, and the simulated time it is looked at. */
export interface Served {
  readonly world: World
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  /** By how many rows the list of a request has shifted since its first page (`--faults`); 0: none. */
  readonly rowShift: (request: Request) => number
}
