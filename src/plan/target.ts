import type { PhaseSpan } from '../model/phase.ts'
import { RECORD_OF, type RecordResource } from '../model/resource.ts'
import type { Mix } from './change-rates.ts'

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

/** The resource of what a key names. */
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

/** A gap without reads up to this long is a quiet night, not a leap of the clock. */
export const ALWAYS_TAUGHT_MS = 12 * 60 * 60_000

interface ReadReport {
  /** When the request was sent. */
  readonly at: number
  /**
   * Says how long since the last read may be at most: a longer time was spent in sleep, or leapt over by the clock, and teaches no
   * more. Asked only where more than `ALWAYS_TAUGHT_MS` have passed; left out: whatever it was.
   */
  readonly longestMs?: (() => number) | undefined
}

/** A read of a page. */
export interface PageReadReport extends ReadReport {
  readonly target: PageTarget
  /** The rows that it shows now; null: the same as before. */
  readonly mix: Mix | null
  /** How many rows of each kind had changed or were new. */
  readonly changed: Mix
}

/** A read of an item. */
export interface ItemReadReport extends ReadReport {
  readonly target: ItemTarget
  readonly changed: boolean
  /** Something else had said that it would show something. */
  readonly announced: boolean
}

/** What is known of an item beside its reads. */
export interface ItemFacts {
  readonly target: ItemTarget
  /** The phase of the item's shipment; null where it has none. */
  readonly phase: PhaseSpan | null
  /** From when on the item is read no more; null: it always is. */
  readonly endsAt: number | null
}
