import type { Config } from '../../config/config.ts'
import type { AccountSettings } from '../../model/account.ts'
import type { Subscription } from '../../model/subscription.ts'
import type { PollStore } from '../../store/ports/store.ts'

export interface Work {
  /** Goes on until its signal aborts; may then be called again. */
  readonly work: (signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** What is done as the share changes. */
export interface ShareListener {
  /** Polls exactly `accounts()` from now on. */
  readonly changed: () => Promise<void>
  /** Rows may be due: those of workers that died, or of subscriptions that are in force by now. */
  readonly freed: () => void
}

export interface ShareCounts {
  /** The `owner` that this worker's claims and leases name. */
  readonly id: string
  /** API keys whose accounts it polls. */
  readonly leases: number
  /** Leases that it has taken from workers that died. */
  readonly takeovers: number
}

/** The part of the work on a store that this process does. */
export interface WorkShare {
  /** Names this process in its claims. Another name only while no work is done. */
  readonly owner: string
  /** How many processes do work on the store, this one among them, as of a moment ago. */
  readonly processes: number
  /** Whether requests may be sent: to be asked in the turn in which one is written. */
  isTrusted(): boolean
  /** Whether what this process loaded is in force for all, and no newer configuration of another. */
  readonly isInForce: boolean
  /** The accounts that this process polls now. */
  accounts(): readonly AccountSettings[]
  /** The subscriptions that this process may send to: other settings than its own may be in force. */
  subscriptions(): readonly Subscription[]
  /** Where what is read of an account is kept. */
  storeFor(account: AccountSettings): PollStore
  readonly counts: ShareCounts
  /** Before any work is done. */
  listen(listener: ShareListener): void
  /** Puts a configuration in force that was loaded. Throws `store_unusable`. */
  load(config: Config): Promise<void>
  /** Does the work for as long as this process may, until `signal` aborts. */
  during(work: Work): Promise<void>
  /** Does what one process does for all, while it is this one. */
  keepingHouse(work: Work): Promise<void>
}
