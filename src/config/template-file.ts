import { z } from 'zod'
import { compileTemplate, type OperatorTemplate } from '../message/template/operator-template.ts'
import { placed } from '../message/template/template-problem.ts'
import type { ConfigNode } from './config-node.ts'
import { eventPattern } from './event-patterns.ts'
import { problemAt } from './problem.ts'
import { text } from './scalar-types.ts'
import type { Reading, Shape } from './shape.ts'
import { value } from './value.ts'

export interface TemplateEntry {
  /** The events that it tells; null: every one that the subscription hears. */
  readonly pattern: string | null
  readonly template: OperatorTemplate
}

const path = value(text)
const patternOf = value(eventPattern)

/** One template file for every event, or a mapping from event patterns to files; paths are relative to the configuration. */
export const templateFiles: Shape<readonly TemplateEntry[]> = {
  outline: { kind: 'value', schema: z.union([text, z.record(z.string(), text)]) },
  read: (node, name, reading) => {
    if (node.kind !== 'map') {
      const template = templateOf(node, name, reading)
      return template === undefined ? undefined : [{ pattern: null, template }]
    }
    if (node.entries.size === 0) {
      reading.report(problemAt(node.at, `\`${name}\` names no file: write \`${name}: FILE\`, or remove the line`))
      return undefined
    }
    const entries = [...node.entries].map(([pattern, child]) => entryOf(pattern, child, reading))
    return entries.every((entry) => entry !== undefined) ? entries : undefined
  },
}

function entryOf(pattern: string, child: ConfigNode, reading: Reading): TemplateEntry | undefined {
  const key = { kind: 'scalar', value: pattern, literal: true, at: child.keyAt, keyAt: child.keyAt } as const
  const known = patternOf.read(key, 'template', reading)
  const template = templateOf(child, pattern, reading)
  return known === undefined || template === undefined ? undefined : { pattern, template }
}

function templateOf(node: ConfigNode, name: string, reading: Reading): OperatorTemplate | undefined {
  const file = path.read(node, name, reading)
  if (file === undefined) return undefined
  const literal = node.kind === 'scalar' && node.literal
  const source = reading.file(file)
  if ('reason' in source) {
    const reason = literal ? source.reason : 'its variable names no file that can be read as UTF-8 text'
    reading.report(problemAt(node.at, `\`${name}\` cannot be had: ${reason}`))
    return undefined
  }
  const compiled = compileTemplate(literal ? file : 'template', source.text)
  if (compiled.kind === 'template') return compiled.template
  reading.report(problemAt(node.at, `\`${name}\` cannot be used: ${placed(literal ? file : 'its file', compiled)}`))
  return undefined
}
