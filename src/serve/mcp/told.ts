import { z } from '@hono/zod-openapi'
import type { Json } from '../../model/json.ts'
import type { DeskStore } from '../admin-context.ts'
import { fields, text } from './parts.ts'

/** Who was told of an event. */
export interface Told {
  readonly subscription: string
  readonly state: string
}

export const told = z
  .array(fields({ subscription: text, state: text.describe('pending, delivered, exhausted, held or discarded.') }))
  .describe('Which subscriptions were told, and whether it reached them; none: nobody.')

/** How many subscriptions are named. */
const MOST = 10

/** Who was told of an event; null: none rang. */
export async function toldOf(store: Pick<DeskStore, 'deliveryPage'>, eventId: string | null): Promise<readonly Told[]> {
  if (eventId === null) return []
  const { items } = await store.deliveryPage({ eventId, limit: MOST })
  return items.map(({ state, subscription }) => ({ subscription, state }))
}

export function toldJson(all: readonly Told[]): Json[] {
  return all.map(({ state, subscription }) => ({ subscription, state }))
}

/** `told erp, thin; not told: ops (pending)`: who knows is whom a delivery reached. */
export function toldText(all: readonly Told[]): string {
  if (all.length === 0) return 'nobody was told'
  const reached = all.filter(({ state }) => state === 'delivered').map(({ subscription }) => subscription)
  const others = all.filter(({ state }) => state !== 'delivered')
  return [
    ...(reached.length === 0 ? [] : [`told ${reached.join(', ')}`]),
    ...(others.length === 0
      ? []
      : [`not told: ${others.map(({ state, subscription }) => `${subscription} (${state})`).join(', ')}`]),
  ].join('; ')
}
