import type { EndpointFacts } from '../model/endpoint.ts'

/** What `giveUp` goes by. */
export interface GivingUp {
  readonly subscription: string
  /** Of the facts that say so. */
  readonly failingSince: number
  readonly reason: string
  readonly at: number
}

/** What decides how freely an endpoint is tried. */
export interface EndpointLoad {
  readonly subscription: string
  readonly failuresInARow: number
  /** Tests left out. */
  readonly pending: number
}

/** How the endpoints of the subscriptions fare. */
export interface EndpointStore {
  /** Of the subscriptions that are configured and enabled in the file, by name. Cheap, whatever the size of the ledger. */
  endpointFacts(): Promise<readonly EndpointFacts[]>

  /** Of the subscriptions that are configured. Cheap, likewise. */
  endpointLoads(): Promise<readonly EndpointLoad[]>

  /**
   * Disables an endpoint that failed for too long: its pending rows are held. Changes nothing where it has had a success since
   * `failingSince`, was enabled anew, or is disabled already.
   */
  giveUp(giving: GivingUp): Promise<void>
}
