import { DELIVERY_STATES, type DeliveryState } from '../../../model/delivery.ts'
import { formatInstant } from '../../../model/instant.ts'
import type { AdminActions, RetryChoice } from '../../admin-context.ts'
import { valueOf, type Address } from '../parts/address.ts'
import { oneOf, timeOf } from '../parts/query.ts'
import type { View } from '../show-page.ts'

/** What a person asked to be retried, as the list of deliveries was filtered. */
export interface RetryRequest {
  /** The subscription whose rows are retried; null: those of every one. */
  readonly subscription: string | null
  readonly since: number | null
  readonly missing: boolean
  readonly account: string | null
  readonly state: DeliveryState | null
  readonly cause: string | null
}

/** The request that a query makes, or a form that was sent. Throws `usage`. */
export function retryRequestOf(address: Address, now: number): RetryRequest {
  return {
    subscription: valueOf(address, 'subscription'),
    since: timeOf(address, 'since', now),
    missing: valueOf(address, 'missing') !== null,
    account: valueOf(address, 'account'),
    state: oneOf(address, 'state', DELIVERY_STATES),
    cause: valueOf(address, 'cause'),
  }
}

/** A request as fields of a form, with the instant that was meant. */
export function retryFields(request: RetryRequest): Readonly<Record<string, string>> {
  const { account, cause, missing, since, state, subscription } = request
  const fields = {
    subscription,
    since: since === null ? null : formatInstant(since),
    missing: missing ? 'on' : null,
    account,
    state,
    cause,
  }
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

/** One choice for each subscription that it reaches. */
export async function choicesFor(request: RetryRequest, { desk }: Pick<View, 'desk'>): Promise<readonly RetryChoice[]> {
  const { account, cause, missing, since, state, subscription } = request
  const names = subscription === null ? (await desk.store.endpoints()).map((each) => each.subscription) : [subscription]
  const only = {
    ...(account !== null && { account }),
    ...(state !== null && { states: [state] }),
    ...(cause !== null && { cause }),
  }
  return names.map((name) => ({ subscription: name, since: since ?? 0, missing, only }))
}

export async function countOf(choices: readonly RetryChoice[], actions: AdminActions): Promise<number> {
  let total = 0
  for (const choice of choices) total += await actions.countMatching(choice)
  return total
}

/** One subscription after another. Resolves to how many rows were taken. */
export async function retryEach(
  choices: readonly RetryChoice[],
  actions: AdminActions,
  { onProgress, signal }: { readonly signal: AbortSignal; readonly onProgress: (done: number) => void },
): Promise<number> {
  let taken = 0
  for (const choice of choices) {
    if (signal.aborted) break
    const before = taken
    taken += await actions.retryMatching(choice, { signal, onProgress: (done) => onProgress(before + done) })
  }
  return taken
}
