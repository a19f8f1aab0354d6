import type { Filter } from '../model/subscription.ts'
import { compileFilter } from '../route/filter/compile-filter.ts'
import type { ScalarNode } from './config-node.ts'
import { problemAt, type Position } from './problem.ts'
import { text } from './scalar-types.ts'
import type { Shape } from './shape.ts'
import { value } from './value.ts'

const expression = value(text)

/** `where`: CEL, parsed and type-checked; a problem is told at its place in the expression where that can be found. */
export const filterExpression: Shape<Filter> = {
  outline: expression.outline,
  read: (node, name, reading) => {
    const source = expression.read(node, name, reading)
    if (source === undefined || node.kind !== 'scalar') return undefined
    const compiled = compileFilter(source)
    if (compiled.kind === 'filter') return compiled.filter
    const reason = node.literal ? compiled.message : 'the value of a variable in it is not shown'
    reading.report(problemAt(placeOf(node, compiled.offset), `\`${name}\` cannot be used: ${reason}`))
    return undefined
  },
}

function placeOf({ at, textAt }: ScalarNode, offset: number): Position {
  return textAt === undefined ? at : { line: textAt.line, column: textAt.column + offset }
}
