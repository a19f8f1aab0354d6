import type { ParseResult } from '@marcbachmann/cel-js'
import type { ExpectationRule, SeenResource } from '../../model/expectation.ts'
import { reasonOf } from '../filter/cel-filter.ts'
import { CelValues } from '../filter/cel-values.ts'
import type { LinearPatterns } from '../filter/linear-patterns.ts'
import type { ExpectationView } from './expectation-view.ts'
import type { RuleCircumstances } from './rule-circumstances.ts'
import type { RuleReads } from './rule-reads.ts'
import { instantOf } from './shifted-date.ts'

interface Expression {
  readonly evaluate: ParseResult
  readonly patterns: LinearPatterns
}

interface Compiled extends Readonly<Record<'when' | 'by' | 'until', Expression>> {
  readonly rule: ExpectationRule
  readonly reads: RuleReads
  readonly defers: SeenResource | null
  readonly circumstances: RuleCircumstances
}

/** What a rule says of a record. */
type RuleVerdict =
  | {
      readonly kind: 'judged'
      readonly isExpected: boolean
      readonly hasHappened: boolean
      readonly by: number | null
    }
  | { readonly kind: 'failed'; readonly reason: string }

/** A rule that was parsed and checked. */
export class CompiledRule {
  readonly rule: ExpectationRule
  /** What the rule looks at, its subject included. */
  readonly resources: readonly SeenResource[]
  /** What of them what it says depends on, but for the instant where that is deferred. */
  readonly reads: RuleReads
  /** The resource whose changes only put the rule's instant off; null: more than changes decides it, or nothing. */
  readonly defers: SeenResource | null
  readonly #expressions: Compiled

  constructor(compiled: Compiled) {
    this.rule = compiled.rule
    this.reads = compiled.reads
    this.defers = compiled.defers
    const deferring = compiled.defers === null ? [] : [compiled.defers]
    this.resources = [...new Set([compiled.rule.about, ...compiled.reads.keys(), ...deferring])]
    this.#expressions = compiled
  }

  /** What the rule says of a record. `wasMissed`: whether it was missed before; else what is not expected need not have happened. */
  judge(view: ExpectationView, { wasMissed = true }: { readonly wasMissed?: boolean } = {}): RuleVerdict {
    const { by, circumstances, until, when } = this.#expressions
    circumstances.enter(view)
    const values = valuesOf(view)
    try {
      const isExpected = truthOf('when', when, values)
      if (!isExpected)
        return { kind: 'judged', isExpected, hasHappened: wasMissed && happened(until, values), by: null }
      const hasHappened = truthOf('until', until, values)
      const at = instantOf(evaluated(by, values), circumstances.timeZone)
      return { kind: 'judged', isExpected, hasHappened, by: at }
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error) }
    }
  }
}

/** What has happened to a record of which it is no longer expected; what cannot be said of it has not. */
function happened(until: Expression, values: CelValues): boolean {
  try {
    return evaluated(until, values) === true
  } catch {
    return false
  }
}

function truthOf(key: string, expression: Expression, values: CelValues): boolean {
  const value = evaluated(expression, values)
  if (typeof value === 'boolean') return value
  throw new RangeError(`\`${key}\` says neither true nor false.`)
}

function evaluated({ evaluate, patterns }: Expression, values: CelValues): unknown {
  values.refill()
  patterns.refill()
  return evaluate(values.fields)
}

/** Several rules judge one view. */
const CONVERTED = new WeakMap<ExpectationView, CelValues>()

function valuesOf(view: ExpectationView): CelValues {
  const known = CONVERTED.get(view)
  if (known !== undefined) return known
  const values = new CelValues(view.records)
  CONVERTED.set(view, values)
  return values
}
