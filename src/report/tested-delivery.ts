import type { Attempt, Delivery } from '../model/delivery.ts'
import type { JsonObject } from '../model/json.ts'
import type { Subscription } from '../model/subscription.ts'
import type { QueryStore } from '../store/ports/query-port.ts'

/** A test of an endpoint that was sent, or waits. */
export interface SentTest {
  readonly row: Delivery
  /** The attempt; null: none was made in time. */
  readonly attempt: Attempt | null
}

/** What became of a test of an endpoint. */
export interface TestedDelivery extends SentTest {
  /** Why the endpoint is disabled; null where it is not. */
  readonly disabled: string | null
}

export async function sentTest(store: Pick<QueryStore, 'attempts'>, row: Delivery): Promise<SentTest> {
  return { row, attempt: (await store.attempts(row.id)).at(-1) ?? null }
}

export async function testedDelivery(
  store: Pick<QueryStore, 'endpoints'>,
  test: SentTest,
  subscription: Pick<Subscription, 'name' | 'enabled'>,
): Promise<TestedDelivery> {
  return { ...test, disabled: await whyDisabled(store, test.row, subscription) }
}

async function whyDisabled(
  store: Pick<QueryStore, 'endpoints'>,
  { state }: Pick<Delivery, 'state'>,
  { name, enabled }: Pick<Subscription, 'name' | 'enabled'>,
): Promise<string | null> {
  const endpoint = (await store.endpoints()).find(({ subscription }) => subscription === name)
  const runtime = endpoint?.runtime ?? null
  if (runtime === null && !enabled) return 'disabled in the configuration (enabled: false)'
  if (runtime !== null && runtime.disabled !== null) return runtime.disabled.reason
  // The answer to this test verifies it, if it was taken.
  if (runtime?.verifiedAt === null)
    return state === 'delivered' ? null : 'it is not verified: no test of it was answered with 2xx yet'
  return endpoint?.disabled?.reason ?? null
}

/** What `subscriptions test --json` prints. */
export function testedJson({ row, attempt, disabled }: TestedDelivery): JsonObject {
  return {
    subscription: row.subscription,
    delivered: row.state === 'delivered',
    event_id: row.eventId,
    delivery_id: row.id,
    state: row.state,
    status: attempt?.status ?? null,
    duration_ms: attempt?.durationMs ?? null,
    error: attempt?.error ?? null,
    answer: attempt?.answer ?? null,
    disabled,
  }
}
