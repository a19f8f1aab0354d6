import { eventTypeInfo } from '../model/event-catalogue.ts'

/**
 * Whether one of a subscription's patterns names this type: exact, `prefix.*` or `*`.
 * Service events are matched by name only: `*` does not reach them (contract section 4).
 */
export function matchesPatterns(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, type))
}

function matchesPattern(pattern: string, type: string): boolean {
  if (pattern === '*') return eventTypeInfo(type)?.family !== 'service'
  if (pattern.endsWith('.*')) return type.startsWith(pattern.slice(0, -1))
  return pattern === type
}
