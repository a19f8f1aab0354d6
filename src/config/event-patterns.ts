import { z } from 'zod'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import { matchesPatterns } from '../route/matches.ts'
import { nearestName } from './nearest-name.ts'
import { filledList } from './scalar-types.ts'
import { VALUE } from './value.ts'

const TYPES: readonly string[] = EVENT_CATALOGUE.map(({ type }) => type)
const GROUPS = [...new Set(TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`))]

/** One of them, which names some type. */
export const eventPattern: z.ZodType<string> = z
  .string({ error: 'must list event types such as shipment.departed or invoice.*' })
  .superRefine((pattern, context) => {
    if (matchesSome(pattern, TYPES)) return
    const nearest = nearestName(pattern, [...TYPES, ...GROUPS, '*'])
    const hint = nearest === undefined ? '`shipbell events types` lists them' : `did you mean \`${nearest}\`?`
    context.addIssue(`names no event type with ${VALUE}: ${hint}`)
  })

/** Exact types, `prefix.*`, or `*`. */
export const eventPatterns: z.ZodType<readonly string[]> = filledList(eventPattern, '["shipment.*"]')

/** Every type that can be named. */
export function knownEventTypes(): readonly string[] {
  return TYPES
}

export function matchesAccountEvents(patterns: readonly string[]): boolean {
  return TYPES.some((type) => type.startsWith('account.') && matchesPatterns(patterns, type))
}

function matchesSome(pattern: string, types: readonly string[]): boolean {
  return types.some((type) => matchesPatterns([pattern], type))
}
