import { hash } from 'node:crypto'
import type { SubjectResource } from './resource.ts'

export interface EventIdentity {
  readonly account: string | null
  readonly resource: SubjectResource
  readonly id: string
  /** The event's number among its subject's events. */
  readonly version: number
  readonly type: string
  /** What distinguishes the event from another of this type, whatever its rendering: changes, or the edge of a rule. */
  readonly parts: readonly string[]
}

/** `evt_` and 160 bits in hexadecimal; no time goes in, so a read repeated after a crash gives the same id. */
export function eventId({ account, resource, id, version, type, parts }: EventIdentity): string {
  const text = JSON.stringify([account, resource, id, version, type, [...parts].sort()])
  return `evt_${hash('sha256', text, 'hex').slice(0, 40)}`
}
