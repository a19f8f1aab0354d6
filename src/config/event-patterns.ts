import { z } from 'zod'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import { matchesPatterns } from '../route/event-pattern.ts'
import { nearestName } from './nearest-name.ts'
import { PLANNED_EVENT_TYPES } from './planned-event-types.ts'
import { filledList } from './scalar-types.ts'
import { VALUE } from './value.ts'

const BUILT_TYPES: readonly string[] = EVENT_CATALOGUE.map(({ type }) => type)
const ALL_TYPES = [...BUILT_TYPES, ...PLANNED_EVENT_TYPES]
const GROUPS = [...new Set(ALL_TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`))]

const eventPattern = z
  .string({ error: 'must list event types such as shipment.departed or invoice.*' })
  .superRefine((pattern, context) => {
    if (matchesSome(pattern, ALL_TYPES)) return
    const nearest = nearestName(pattern, [...ALL_TYPES, ...GROUPS, '*'])
    const hint = nearest === undefined ? '`shipbell events types` lists them' : `did you mean \`${nearest}\`?`
    context.addIssue(`names no event type with ${VALUE}: ${hint}`)
  })

/** Exact types, `prefix.*`, or `*`. */
export const eventPatterns: z.ZodType<readonly string[]> = filledList(eventPattern, '["shipment.*"]')

/** Every type of the contract, the planned ones last. */
export function knownEventTypes(): readonly string[] {
  return ALL_TYPES
}

/** Whether every type that a pattern names is still to be built. */
export function ringsNothingYet(pattern: string): boolean {
  return !matchesSome(pattern, BUILT_TYPES)
}

export function hearsAccountEvents(patterns: readonly string[]): boolean {
  return BUILT_TYPES.some((type) => type.startsWith('account.') && matchesPatterns(patterns, type))
}

function matchesSome(pattern: string, types: readonly string[]): boolean {
  return types.some((type) => matchesPatterns([pattern], type))
}
