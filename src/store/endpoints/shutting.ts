import type { DisabledBy } from '../../model/endpoint.ts'

/** An endpoint that is to be disabled, and why. */
export interface Shutting {
  readonly subscription: string
  readonly reason: string
  readonly at: number
  readonly by: DisabledBy
}
