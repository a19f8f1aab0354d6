import { problemAt, quoted } from './problem.ts'
import type { Shape } from './shape.ts'

export interface Naming {
  readonly pattern: RegExp
  /** What a name is made of, for messages. */
  readonly rule: string
}

/** A mapping whose keys are names that the operator chose; in the order of the file. */
export function named<T>(of: Shape<T>, naming: Naming): Shape<ReadonlyMap<string, T>> {
  return {
    outline: { kind: 'named', of: of.outline },
    read: (node, name, reading) => {
      if (node.kind === 'broken') return undefined
      if (node.kind !== 'map') {
        reading.report(problemAt(node.at, `\`${name}\` must be a mapping from names to settings`))
        return undefined
      }
      const values = new Map<string, T>()
      for (const [key, child] of node.entries) {
        const valid = naming.pattern.test(key)
        if (!valid) reading.report(problemAt(child.keyAt, `the name ${quoted(key)} must be ${naming.rule}`))
        const value = of.read(child, key, reading)
        if (valid && value !== undefined) values.set(key, value)
      }
      return values.size === node.entries.size ? values : undefined
    },
  }
}
