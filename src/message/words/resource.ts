import type { Json } from '../../model/json.ts'
import { words } from './short.ts'

/** One of what `watch` names: `purchase_orders` → `purchase order`. */
export function one(resource: Json | undefined): string {
  const name = words(resource)
  return name === 'tracking' ? 'tracking record' : name.replace(/s$/, '')
}

/** Several of them: `purchase_orders` → `purchase orders`. */
export function many(resource: Json | undefined): string {
  const name = words(resource)
  return name === 'tracking' ? 'tracking records' : name
}
