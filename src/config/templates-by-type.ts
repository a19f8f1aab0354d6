import type { EventType } from '../model/event-catalogue.ts'
import { matchesPatterns } from '../route/matches.ts'
import type { OperatorTemplate } from '../message/template/operator-template.ts'
import type { TemplateEntry } from './template-file.ts'

/** Which template tells which of these types: the one whose pattern is most specific. */
export function templatesByType(
  entries: readonly TemplateEntry[],
  types: readonly EventType[],
): ReadonlyMap<EventType, OperatorTemplate> {
  const found = new Map<EventType, OperatorTemplate>()
  for (const type of types) {
    const entry = entryFor(entries, type)
    if (entry !== undefined) found.set(type, entry.template)
  }
  return found
}

/** Of two patterns that match one type, the longer one is the more specific. */
export function entryFor(entries: readonly TemplateEntry[], type: EventType): TemplateEntry | undefined {
  return entries
    .filter(({ pattern }) => pattern === null || matchesPatterns([pattern], type))
    .toSorted((left, right) => (right.pattern?.length ?? 0) - (left.pattern?.length ?? 0))
    .at(0)
}
