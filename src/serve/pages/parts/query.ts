import { isAccountName } from '../../../model/account.ts'
import { EVENT_GLOB } from '../../../model/types-like.ts'
import { LONGEST_ID } from '../../api/parts.ts'
import { readPointInTime } from '../../../model/point-in-time.ts'
import { say } from '../languages/say.ts'
import { valueOf, valuesOf, type Address } from './address.ts'
import { FieldProblem } from './field-problems.ts'
import { viewer } from './viewer.ts'

/** How many rows a list shows at once. */
export const ROWS_AT_ONCE = 50

/** The place in a list. */
export function placeOf(address: Address): { readonly limit: number; readonly cursor?: string } {
  const cursor = valueOf(address, 'cursor')
  return { limit: ROWS_AT_ONCE, ...(cursor !== null && { cursor }) }
}

/** What is wrong with a cursor that is none of the list. */
export function noSuchPlace(): FieldProblem {
  return new FieldProblem('cursor', say('There is no such place in this list: it is shown from its beginning.'))
}

/** The name of an account; null where nothing is asked. One that nobody has gives an empty list. Throws `FieldProblem`. */
export function accountOf(address: Address): string | null {
  return judged(address, 'account', { isOne: isAccountName, otherwise: '{value} is no name of an account.' })
}

/** The name of a subscription; likewise. */
export function subscriptionOf(address: Address): string | null {
  return judged(address, 'subscription', { isOne: isAccountName, otherwise: '{value} is no name of a subscription.' })
}

/** Event types, and globs of some; likewise, of each. */
export function eventTypesOf(address: Address): readonly string[] {
  const judgement = {
    isOne: (type: string) => EVENT_GLOB.test(type),
    otherwise: '{value} is no event type, nor a glob such as shipment.*.',
  }
  return valuesOf(address, 'type').map((value) => accepted({ name: 'type', value }, judgement))
}

/** An id, as the platform or Shipbell made it; likewise. */
export function idOf(address: Address, name: string): string | null {
  return judged(address, name, { isOne: (id) => id.length <= LONGEST_ID, otherwise: '{value} is longer than any id.' })
}

interface Judgement {
  readonly isOne: (value: string) => boolean
  /** What is said of a value that is none. */
  readonly otherwise: string
}

/** A value that was given for a filter. */
interface Given {
  readonly name: string
  readonly value: string
}

function judged(address: Address, name: string, judgement: Judgement): string | null {
  const value = valueOf(address, name)
  return value === null ? null : accepted({ name, value }, judgement)
}

function accepted(given: Given, { isOne, otherwise }: Judgement): string {
  if (isOne(given.value)) return given.value
  throw refused(given, otherwise)
}

function refused({ name, value }: Given, otherwise: string, more: Readonly<Record<string, string>> = {}): FieldProblem {
  return new FieldProblem(name, say(otherwise, { value: JSON.stringify(value.slice(0, 60)), ...more }))
}

/** An ISO date-time, a date, or a duration ago, on the clock of whoever looks; null where nothing is asked. Throws `FieldProblem`. */
export function timeOf(address: Address, name: string, now: number): number | null {
  const value = valueOf(address, name)
  if (value === null) return null
  const instant = readPointInTime(value, now, viewer().timeZone)
  if (instant !== null) return instant
  throw refused(
    { name, value },
    '{value} is no time: give a date (2026-11-21), an ISO date-time or a duration ago (24h, 7d).',
  )
}

/** One of these words; null where nothing is asked. Throws `FieldProblem`. */
export function oneOf<T extends string>(address: Address, name: string, allowed: readonly T[]): T | null {
  const value = valueOf(address, name)
  return value === null ? null : wordIn(allowed, { name, value })
}

/** Some of these words; none where nothing is asked. Throws `FieldProblem`. */
export function someOf<T extends string>(address: Address, name: string, allowed: readonly T[]): readonly T[] {
  return valuesOf(address, name).map((value) => wordIn(allowed, { name, value }))
}

function wordIn<T extends string>(allowed: readonly T[], given: Given): T {
  const known = allowed.find((each) => each === given.value)
  if (known !== undefined) return known
  throw refused(given, '{value} is none of {allowed}.', { allowed: allowed.join(', ') })
}
