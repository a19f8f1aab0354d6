import type { RoutingQuery, RoutingState } from '../model/routing.ts'

/** What routing must know of the past. */
export interface RoutingStore {
  /**
   * The `sequence` that an account's events have reached (null: those of no account) and the dates that its subscriptions
   * were told, of those subjects that are asked for. Cheap: reads no body.
   */
  routingState(account: string | null, query: RoutingQuery): Promise<RoutingState>
}
