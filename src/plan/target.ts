import { RECORD_OF, type RecordResource } from '../model/resource.ts'

/** What one request reads. */
export type Target = PageTarget | ItemTarget

/** The rows of a list from `skip` on. */
export interface PageTarget {
  readonly kind: 'page'
  readonly resource: RecordResource
  readonly skip: number
}

export interface ItemTarget {
  readonly kind: 'item'
  readonly resource: RecordResource
  readonly id: string
}

/** Names a target within its account. */
export function keyOf(target: Target): string {
  return keyBy(target.kind, target.resource, nameOf(target))
}

/** Joined rather than written as a template, of which V8 would keep the parts too. */
export function keyBy(what: string, resource: RecordResource, name: string): string {
  return [what, resource, name].join(' ')
}

/** Of what a key names. */
export function resourceOf(key: string): RecordResource | null {
  const [, name] = key.split(' ', 2)
  return Object.values(RECORD_OF).find((resource) => resource === name) ?? null
}

/** The item that a key names. */
export function itemOf(key: string): ItemTarget {
  const resource = resourceOf(key)
  if (resource === null) throw new TypeError(`${key} names no item`)
  return { kind: 'item', resource, id: key.slice(keyBy('item', resource, '').length) }
}

export function nameOf(target: Target): string {
  return target.kind === 'page' ? String(target.skip) : target.id
}
