import type { ASTNode } from '@marcbachmann/cel-js'
import { parseDuration } from '../../model/duration.ts'
import type { ExpectationRule, ExpectedSubject } from '../../model/expectation.ts'
import { boundedEnvironment, METERED } from '../filter/cel-environment.ts'
import { compileExpression, type ExpressionProblem, type Language } from '../filter/compile-expression.ts'
import { EvaluationMeter } from '../filter/evaluation-meter.ts'
import { childrenOf } from '../filter/syntax-tree.ts'
import { CompiledRule } from './compiled-rule.ts'
import { resourcesSeenBy, SEEN_BY } from './expectation-view.ts'
import { RuleCircumstances } from './rule-circumstances.ts'
import { lastChangeOf, readsOf } from './rule-reads.ts'

/** The keys of a rule that are expressions. */
export const RULE_EXPRESSIONS = ['when', 'by', 'until'] as const

type RuleExpression = (typeof RULE_EXPRESSIONS)[number]

type CompiledExpectation =
  | { readonly kind: 'rule'; readonly rule: CompiledRule }
  | { readonly kind: 'problems'; readonly problems: readonly RuleProblem[] }

interface RuleProblem extends ExpressionProblem {
  readonly key: RuleExpression
}

/** Parses and type-checks the expressions of a rule; what the rule looks at is read from them. */
export function compileExpectation(rule: ExpectationRule): CompiledExpectation {
  const circumstances = new RuleCircumstances()
  const compiled = RULE_EXPRESSIONS.map((key) => {
    const language = languageOf(rule.about, key, circumstances)
    const result = compileExpression(rule[key], language)
    const ask = result.kind === 'expression' ? callProblem(result.ast, rule.about) : null
    return { key, result: ask === null ? result : ({ kind: 'problem', ...ask } as const) }
  })
  const problems = compiled.flatMap(({ key, result }) =>
    result.kind === 'problem' ? [{ key, message: result.message, offset: result.offset }] : [],
  )
  const [when, by, until] = compiled.flatMap(({ result }) => (result.kind === 'expression' ? [result] : []))
  if (when === undefined || by === undefined || until === undefined) return { kind: 'problems', problems }
  const defers = lastChangeOf(by.ast, rule.about)
  const reading = defers === null ? [when, by, until] : [when, until]
  const reads = readsOf(
    reading.map(({ ast }) => ast),
    rule.about,
  )
  return { kind: 'rule', rule: new CompiledRule({ rule, reads, defers, when, by, until, circumstances }) }
}

const INSTANTS: ReadonlySet<string> = new Set(['google.protobuf.Timestamp', 'string', 'null', 'dyn'])

function languageOf(about: ExpectedSubject, key: RuleExpression, circumstances: RuleCircumstances): Language {
  return {
    environment: (patterns) => {
      const meter = new EvaluationMeter('null')
      const environment = boundedEnvironment({ patterns, meter })
        .registerFunction('before(dyn, string): dyn', (date: unknown, length: string) =>
          circumstances.shifted(date, length, -1),
        )
        .registerFunction('after(dyn, string): dyn', (date: unknown, length: string) =>
          circumstances.shifted(date, length, 1),
        )
        .registerFunction('last_change(string): dyn', (resource: string) => circumstances.lastChange(resource))
      for (const [name, { many }] of Object.entries(SEEN_BY[about]))
        environment.registerVariable(name, many ? 'list<dyn>' : 'dyn')
      return environment
    },
    around: [`${METERED}(`, '\n)'],
    misfit: key === 'by' ? instantMisfit : truthMisfit,
    names: `it sees ${Object.keys(SEEN_BY[about]).join(', ')}`,
  }
}

function instantMisfit(type: string): string | null {
  return INSTANTS.has(type) ? null : `must say an instant, such as before(…, "3d"), and this is ${type}`
}

function truthMisfit(type: string): string | null {
  return type === 'bool' || type === 'dyn' ? null : `must say true or false, and this is ${type}`
}

/** A call of ours with what it does not take; null: there is none. */
function callProblem(node: ASTNode, about: ExpectedSubject): ExpressionProblem | null {
  if (node.op === 'call') {
    const [name, args] = node.args
    const problem = name === 'last_change' ? resourceProblem(args[0] ?? node, about) : lengthProblem(name, args[1])
    if (problem !== null) return problem
  }
  for (const child of childrenOf(node)) {
    const problem = callProblem(child, about)
    if (problem !== null) return problem
  }
  return null
}

function resourceProblem(asked: ASTNode, about: ExpectedSubject): ExpressionProblem | null {
  const seen: readonly string[] = resourcesSeenBy(about)
  if (asked.op === 'value' && typeof asked.args === 'string' && seen.includes(asked.args)) return null
  const message = `\`last_change\` takes one of ${seen.map((each) => `"${each}"`).join(', ')}`
  return { message, offset: asked.range.start }
}

function lengthProblem(name: string, length: ASTNode | undefined): ExpressionProblem | null {
  if (name !== 'before' && name !== 'after') return null
  if (length?.op !== 'value' || typeof length.args !== 'string' || parseDuration(length.args) !== null) return null
  return { message: `\`${name}\` takes a length of time such as "3d" or "12h"`, offset: length.range.start }
}
