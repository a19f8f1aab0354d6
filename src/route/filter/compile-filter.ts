import type { Filter } from '../../model/subscription.ts'
import { celEnvironment, METERED, PAYLOAD_FIELDS, TYPE_FIELD } from './cel-environment.ts'
import { CelFilter } from './cel-filter.ts'
import { compileExpression, type ExpressionProblem, type Language } from './compile-expression.ts'
import { EvaluationMeter } from './evaluation-meter.ts'

type CompiledFilter =
  | { readonly kind: 'filter'; readonly filter: Filter }
  | ({ readonly kind: 'problem' } & ExpressionProblem)

/** Binds the payload's `type`, which is also a function of the language. The line break ends a comment. */
const WHERE: Language = {
  environment: (patterns) => celEnvironment({ patterns, meter: new EvaluationMeter() }),
  around: [`${METERED}(cel.bind(type, ${TYPE_FIELD}, `, '\n))'],
  misfit: (type) => (type === 'bool' || type === 'dyn' ? null : `must say true or false, and this is ${type}`),
  names: `a payload has ${PAYLOAD_FIELDS.join(', ')}`,
}

/**
 * Parses and type-checks a `where` (CEL over the standard payload, guarantee E10), so that what is wrong is known at load and
 * not with the first event.
 */
export function compileFilter(expression: string): CompiledFilter {
  const compiled = compileExpression(expression, WHERE)
  if (compiled.kind === 'problem') return compiled
  return { kind: 'filter', filter: new CelFilter(expression, compiled.evaluate, compiled.patterns) }
}
