import { z } from 'zod'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import { matchesPatterns } from '../route/matches.ts'
import { nearestName } from './nearest-name.ts'
import { quoted } from './problem.ts'
import { issueOf } from './schema-parts.ts'
import { filledList } from './values.ts'

const TYPES: readonly string[] = EVENT_CATALOGUE.map(({ type }) => type)
/** What patterns can name: snapshots and watermarks go where their keys say. */
const ROUTED = TYPES.filter((type) => matchesPatterns([type], type))
const GROUPS = [...new Set(TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`))]

/** Exact types, `prefix.*`, or `*`, each of which names some type. */
export const eventPatterns = filledList(
  z.string('must list event types such as shipment.departed or invoice.*').superRefine((pattern, context) => {
    const hint = unknownPattern(pattern)
    if (hint === null) return
    const hidden = `names no event type with this value: ${hint}`
    context.addIssue(issueOf(`names no event type with ${quoted(pattern)}: ${hint}`, { hidden }))
  }),
  '["shipment.*"]',
)

/** What to do about a pattern that names no type; null where it names one. */
export function unknownPattern(pattern: string): string | null {
  if (TYPES.some((type) => matchesPatterns([pattern], type))) return null
  if (TYPES.includes(pattern)) return 'no pattern asks for it; `start: snapshot` and `watermark` do'
  const nearest = nearestName(pattern, [...ROUTED, ...GROUPS, '*'])
  return nearest === undefined ? '`shipbell events types` lists them' : `did you mean \`${nearest}\`?`
}

export function matchesAccountEvents(patterns: readonly string[]): boolean {
  return TYPES.some((type) => type.startsWith('account.') && matchesPatterns(patterns, type))
}
