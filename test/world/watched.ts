import type { ListedResource, RecordResource } from '../../src/model/resource.ts'
import type { Resource } from './facts.ts'
import type { Kind } from './world.ts'

const WATCHED = {
  shipment: 'shipments',
  tracking: 'tracking',
  invoice: 'invoices',
  document: 'documents',
  purchase_order: 'purchase_orders',
  location: 'locations',
  order_preparation: 'order_preparations',
} as const satisfies Readonly<Record<Resource, string>>

export const RESOURCES: readonly Resource[] = [
  'shipment',
  'tracking',
  'invoice',
  'document',
  'purchase_order',
  'location',
  'order_preparation',
]

/** What the world tells of under the name of a resource: one that it cannot tell of does not compile. */
export function toldAs(resource: RecordResource): Resource {
  return resource
}

/** What the world lists under the name of a list. */
export function listedAs(resource: ListedResource): Kind {
  return resource
}

/** What is read for a name under `watch`; null: no resource has that name. */
export function resourceOf(watch: string): Resource | null {
  return RESOURCES.find((resource) => WATCHED[resource] === watch) ?? null
}

export function isResource(name: string | undefined): name is Resource {
  return RESOURCES.some((resource) => resource === name)
}

/** Read one by one, for want of a list. */
export function isItem(resource: Resource): boolean {
  return resource === 'tracking' || resource === 'order_preparation'
}

export function keyOf(resource: string, id: string): string {
  return `${resource} ${id}`
}
