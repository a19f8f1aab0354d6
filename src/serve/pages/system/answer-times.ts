import type { EndpointOverview } from '../../../store/ports/query-port.ts'
import type { DeskStore } from '../../admin-context.ts'

/** Milliseconds until an endpoint has answered: the middle of its last deliveries, by subscription. */
export type AnswerTimes = ReadonlyMap<string, number>

const LAST = 5
/** How many endpoints are shown; others are looked up on their own page. */
const MOST_ENDPOINTS = 40

export async function answerTimes(endpoints: readonly EndpointOverview[], store: DeskStore): Promise<AnswerTimes> {
  const asked = endpoints.filter(({ configured, counts }) => configured && counts.delivered > 0)
  const found = await Promise.all(
    asked
      .slice(0, MOST_ENDPOINTS)
      .map(async ({ subscription }) => [subscription, await middle(subscription, store)] as const),
  )
  return new Map(found.flatMap(([name, ms]) => (ms === null ? [] : [[name, ms]])))
}

async function middle(subscription: string, store: DeskStore): Promise<number | null> {
  const { items } = await store.deliveryPage({ subscription, states: ['delivered'], limit: LAST })
  const attempts = await Promise.all(items.map(async ({ id }) => store.attempts(id)))
  const times = attempts.flatMap((each) => each.at(-1)?.durationMs ?? []).toSorted((a, b) => a - b)
  return times[Math.floor(times.length / 2)] ?? null
}
