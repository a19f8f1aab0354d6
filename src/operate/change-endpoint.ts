import type { Clock } from '../clock.ts'
import { settleRows } from '../deliver/row-settling.ts'
import type { AdminStore } from '../store/ports/admin-port.ts'

export interface EndpointChange {
  readonly store: Pick<AdminStore, 'disable' | 'enable' | 'discard' | 'settleRows'>
  readonly clock: Clock
  /** Cuts the waiting short, not the change: whoever delivers goes on with it. */
  readonly signal: AbortSignal
  readonly subscription: string
}

/** Disables an endpoint by command and waits until its rows are held. */
export async function disableEndpoint(change: EndpointChange, reason: string): Promise<void> {
  const { store, clock, subscription } = change
  await store.disable(subscription, { reason, at: clock.now() })
  await settleRows(change)
}

/** Enables an endpoint and waits until its held rows are released or discarded. Resolves to how many. */
export async function enableEndpoint(change: EndpointChange, discard: boolean): Promise<number> {
  const { store, clock, subscription } = change
  return await moving(change, async () => await store.enable(subscription, { at: clock.now(), discard }))
}

/** Discards the held rows of a subscription and waits for it. Resolves to how many. */
export async function discardHeld(change: EndpointChange): Promise<number> {
  const { store, clock, subscription } = change
  return await moving(change, async () => await store.discard(subscription, clock.now()))
}

/** An earlier change is finished first, so that all rows that should be held are held, and counted. */
async function moving(change: EndpointChange, move: () => Promise<number>): Promise<number> {
  await settleRows(change)
  const moved = await move()
  await settleRows(change)
  return moved
}
