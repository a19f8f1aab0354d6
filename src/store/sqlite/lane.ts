import { hash } from 'node:crypto'
import type { SubjectResource } from '../../model/resource.ts'

const HEX_DIGITS = 12

/** What a lane is made of. */
interface Heading {
  readonly account: string | null
  readonly subject: { readonly resource: SubjectResource; readonly id: string }
}

/**
 * The number that stands for the account and subject of an event: a subscription with `order: subject` gets the events of
 * one lane in their order. Two subjects that share a number by chance take turns with each other, and nothing else happens.
 */
export function laneOf({ account, subject }: Heading): number {
  const name = JSON.stringify([account, subject.resource, subject.id])
  return Number.parseInt(hash('sha256', name).slice(0, HEX_DIGITS), 16)
}
