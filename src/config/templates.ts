import { z } from 'zod'
import { compileTemplate, type OperatorTemplate } from '../message/template/operator-template.ts'
import { placed, samplesSaid } from '../message/template/template-problem.ts'
import { tryTemplate } from '../message/template/try-template.ts'
import type { EventType } from '../model/event-catalogue.ts'
import type { Subscription } from '../model/subscription.ts'
import { matchedTypes, matchesPatterns } from '../route/matches.ts'
import { sampleEvent } from '../samples/sample-event.ts'
import { childOf, entriesOf, isLiteral, nodeAt, type ConfigNode } from './config-node.ts'
import { unknownPattern } from './event-patterns.ts'
import { problemAt, quoted, type Problem } from './problem.ts'
import { entries, issueOf } from './schema-parts.ts'
import { text } from './values.ts'
import type { FileText } from './variables.ts'

/** One template file for every event, or a mapping from event patterns to files; paths are relative to the configuration. */
export const templateFiles = z.union([
  text,
  entries(text, 'must be text').superRefine(judgePatterns, { when: ({ value }) => z.core.util.isPlainObject(value) }),
])

/** Whatever the files are. */
function judgePatterns(files: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const patterns = Object.keys(files)
  if (patterns.length === 0) context.addIssue('names no file: write `template: FILE`, or remove the line')
  for (const pattern of patterns) {
    const hint = unknownPattern(pattern)
    if (hint === null) continue
    const message = `\`template\` names no event type with ${quoted(pattern)}: ${hint}`
    context.addIssue(issueOf(message, { key: pattern, at: 'key' }))
  }
}

/** The templates that a file names, by the node that names each. */
export type NamedTemplates = ReadonlyMap<ConfigNode, OperatorTemplate>

interface TemplateEntry {
  /** The events that it renders; null: every one that the subscription gets. */
  readonly pattern: string | null
  readonly template: OperatorTemplate
  readonly node: ConfigNode
}

/**
 * Reads templates with the configuration. Each becomes an `OperatorTemplate`, is tried on the samples of what its subscription
 * gets, and travels in the channel's settings by event type. Two configurations are compared by the template's file and text
 * alone. Samples hold every field of the interface (a test compares), or a template about a rare one would be refused.
 */
export class TemplateReader {
  readonly templates = new Map<ConfigNode, OperatorTemplate>()
  readonly #file: (path: string) => FileText
  readonly #report: (problem: Problem) => void

  constructor(file: (path: string) => FileText, report: (problem: Problem) => void) {
    this.#file = file
    this.#report = report
  }

  /** A node of which what cannot be used is broken. */
  read(node: ConfigNode, name = 'template'): ConfigNode {
    if (node.kind === 'map')
      return { ...node, children: new Map([...node.children].map(([key, child]) => [key, this.read(child, key)])) }
    if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return node
    const wrong = this.#compile(node, node.value)
    if (wrong === null) return node
    this.#report(problemAt(node.at, `\`${name}\` ${wrong}`))
    return { kind: 'broken', at: node.at, keyAt: node.keyAt }
  }

  #compile(node: ConfigNode, file: string): string | null {
    const source = this.#file(file)
    const literal = isLiteral(node)
    if ('reason' in source)
      return `cannot be had: ${literal ? source.reason : 'its variable names no file that can be read as UTF-8 text'}`
    const compiled = compileTemplate(literal ? file : 'template', source.text)
    if (compiled.kind === 'problem') return `cannot be used: ${placed(literal ? file : 'its file', compiled)}`
    this.templates.set(node, compiled.template)
    return null
  }
}

/** Which template renders which of these types: the one whose pattern is the most specific. */
export function templatesByType(
  node: ConfigNode | undefined,
  templates: NamedTemplates,
  types: readonly EventType[],
): ReadonlyMap<EventType, OperatorTemplate> {
  const found = new Map<EventType, OperatorTemplate>()
  const named = templateEntries(node, templates)
  for (const type of types) {
    const entry = entryFor(named, type)
    if (entry !== undefined) found.set(type, entry.template)
  }
  return found
}

/**
 * Problems: a template that fails on a sample of an event that its subscription can be sent, and a pattern that matches no such
 * event. Each is reported at the key that names the file; a default is tried on what all hear who take it.
 */
export function templateProblems(
  subscriptions: readonly Subscription[],
  root: ConfigNode,
  templates: NamedTemplates,
): readonly Problem[] {
  const takers = Map.groupBy(subscriptions, ({ name }) => childOf(nodeAt(root, ['subscriptions', name]), 'template'))
  return [...takers].flatMap(([node, group]) => {
    const named = templateEntries(node, templates)
    const types = named.length === 0 ? [] : [...new Set(group.flatMap(matchedTypes))]
    return named.flatMap((entry) =>
      entryProblems(
        entry,
        types.filter((type) => entryFor(named, type) === entry),
      ),
    )
  })
}

function templateEntries(node: ConfigNode | undefined, templates: NamedTemplates): readonly TemplateEntry[] {
  const nodes = node?.kind === 'map' ? entriesOf(node) : node === undefined ? [] : [[null, node] as const]
  return nodes.flatMap(([pattern, each]) => {
    const template = templates.get(each)
    return template === undefined ? [] : [{ pattern, template, node: each }]
  })
}

/** The entry for a type: of two patterns that match it, the longer one is the more specific. */
function entryFor(named: readonly TemplateEntry[], type: EventType): TemplateEntry | undefined {
  return named
    .filter(({ pattern }) => pattern === null || matchesPatterns([pattern], type))
    .toSorted((left, right) => (right.pattern?.length ?? 0) - (left.pattern?.length ?? 0))
    .at(0)
}

function entryProblems({ pattern, template, node }: TemplateEntry, types: readonly EventType[]): readonly Problem[] {
  const name = pattern ?? 'template'
  if (types.length === 0) {
    const why = 'the subscription hears no event that it would tell; mend `events`, or remove it'
    return [problemAt(node.keyAt, `\`${name}\`: ${why}`)]
  }
  const file = isLiteral(node) ? template.file : 'its file'
  return tryTemplate(template, types, sampleEvent).map((problem) =>
    problemAt(node.at, `\`${name}\` cannot be used: ${placed(file, problem)} (${samplesSaid(problem.types)})`),
  )
}
