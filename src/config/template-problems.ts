import type { EventType } from '../model/event-catalogue.ts'
import type { Subscription } from '../model/subscription.ts'
import { placed } from '../message/template/template-problem.ts'
import { tryTemplate, type TriedProblem } from '../message/template/try-template.ts'
import { matchedTypes } from '../route/matches.ts'
import type { ConfigKeys } from './config-keys.ts'
import { nodeAt, type ConfigNode } from './config-node.ts'
import { problemAt, type Problem } from './problem.ts'
import type { TemplateEntry } from './template-file.ts'
import { entryFor } from './templates-by-type.ts'

/**
 * Templates that fail on a sample of an event that their subscription can be sent, and patterns of which it can be sent
 * nothing. Told at the place of the key that names the file.
 */
export function templateProblems(
  keys: ConfigKeys,
  subscriptions: readonly Subscription[],
  root: ConfigNode,
): readonly Problem[] {
  return subscriptions.flatMap((subscription) => {
    const entries = keys.subscriptions.get(subscription.name)?.template ?? []
    const types = matchedTypes(subscription)
    const node = nodeAt(root, ['subscriptions', subscription.name, 'template'])
    return entries.flatMap((entry) => {
      const matched = types.filter((type) => entryFor(entries, type) === entry)
      return entryProblems(entry, matched, nodeAt(node, entry.pattern === null ? [] : [entry.pattern]))
    })
  })
}

function entryProblems(
  { pattern, template }: TemplateEntry,
  types: readonly EventType[],
  node: ConfigNode,
): readonly Problem[] {
  const name = pattern ?? 'template'
  if (types.length === 0) {
    const why = 'the subscription hears no event that it would tell; mend `events`, or remove it'
    return [problemAt(node.keyAt, `\`${name}\`: ${why}`)]
  }
  const file = node.kind === 'scalar' && node.literal ? template.file : 'its file'
  return tryTemplate(template, types).map((problem) =>
    problemAt(node.at, `\`${name}\` cannot be used: ${placed(file, problem)} (${samplesOf(problem)})`),
  )
}

function samplesOf({ types: [first, ...others] }: TriedProblem): string {
  return others.length === 0 ? `a ${first}` : `a ${first}, and ${others.length} more types`
}
