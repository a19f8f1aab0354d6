import type { DueQuery } from '../ports/record-port.ts'

/** All instants: what a query leaves out. */
export const EVER: Required<DueQuery> = {
  after: Number.MIN_SAFE_INTEGER,
  until: Number.MAX_SAFE_INTEGER,
  most: Number.MAX_SAFE_INTEGER,
}
