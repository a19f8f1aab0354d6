import type { z } from 'zod'
import { nodeAt, plainValue, type ConfigNode } from './config-node.ts'
import { problemAt, quoted } from './problem.ts'
import type { Shape } from './shape.ts'

type Issue = z.core.$ZodIssue

/** In a schema's message: the value, where it stands in the file as it is; else `this value`. */
export const VALUE = '{value}'

/**
 * A scalar or a list, validated by a zod schema whose messages go on where the key's name ends: `must be …`.
 * A message that holds `VALUE` shows the value only where it is not made from variables.
 */
export function value<T>(schema: z.ZodType<T>): Shape<T> {
  return {
    outline: { kind: 'value', schema },
    read: (node, name, reading) => {
      if (node.kind === 'scalar' && node.value === null) {
        reading.report(problemAt(node.keyAt, `\`${name}\` has no value: give it one, or remove the line`))
        return undefined
      }
      const plain = plainValue(node)
      if (plain === undefined) return undefined
      const result = schema.safeParse(plain)
      if (result.success) return result.data
      for (const { path, message } of result.error.issues.flatMap(decisive)) {
        const place = nodeAt(node, path)
        reading.report(problemAt(place.at, `\`${name}\` ${message.replaceAll(VALUE, () => shown(place))}`))
      }
      return undefined
    },
  }
}

/** Of a union, the issues of the alternative that was meant: the one whose outer type fits. */
function decisive(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.find((issues) =>
    issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0),
  )
  if (meant === undefined) return [issue]
  return meant.flatMap((inner) => decisive({ ...inner, path: [...issue.path, ...inner.path] }))
}

function shown(node: ConfigNode): string {
  return node.kind === 'scalar' && node.literal && node.value !== null ? quoted(String(node.value)) : 'this value'
}
