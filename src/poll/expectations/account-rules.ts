import { hash } from 'node:crypto'
import type { AccountSettings } from '../../model/account.ts'
import type { ExpectationRule, KnownRule, SeenResource } from '../../model/expectation.ts'
import { watchedAs } from '../../model/resource.ts'
import { compileExpectation } from '../../route/expectation/compile-expectation.ts'
import type { CompiledRule } from '../../route/expectation/compiled-rule.ts'

/** The rules of an account that can be judged: those all of whose resources it watches. */
export function rulesOf({
  expectations = [],
  watch,
}: Pick<AccountSettings, 'expectations' | 'watch'>): readonly CompiledRule[] {
  return expectations.flatMap((rule) => {
    const compiled = compiledOf(rule)
    return compiled?.resources.every((resource) => watch[watchedAs(resource)] !== undefined) === true ? [compiled] : []
  })
}

/** Thousands of accounts share a rule. */
const COMPILED = new WeakMap<ExpectationRule, CompiledRule>()

function compiledOf(rule: ExpectationRule): CompiledRule | null {
  const known = COMPILED.get(rule)
  if (known !== undefined) return known
  const compiled = compileExpectation(rule)
  if (compiled.kind === 'problems') return null
  COMPILED.set(rule, compiled.rule)
  return compiled.rule
}

/** All that the rules look at. */
export function resourcesOf(rules: readonly CompiledRule[]): readonly SeenResource[] {
  return [...new Set(rules.flatMap(({ resources }) => resources))]
}

/** What makes a rule another one: in another zone days end at other instants. */
export function digestOf({ about, by, severity, until, when }: ExpectationRule, timeZone: string): string {
  return hash('sha256', JSON.stringify([about, when, by, until, severity, timeZone]), 'hex').slice(0, 16)
}

interface RulesInForce {
  /** The rules as they are known from now on, in the order that was given. */
  readonly rules: readonly KnownRule[]
  readonly hasChanged: boolean
  /** The names of rules that were others before, or are gone. */
  readonly ended: readonly string[]
}

/** What is known of the rules once they are in force: those that are new or others than before share a new generation. */
export function rulesInForce(
  wanted: readonly Pick<KnownRule, 'name' | 'digest'>[],
  before: readonly KnownRule[],
  { at, now }: { readonly at: number; readonly now: number },
): RulesInForce {
  const known = new Map(before.map((rule) => [rule.name, rule]))
  const newest = Math.max(0, ...before.map(({ generation }) => generation))
  const generation = Math.max(at, newest + 1)
  const rules = wanted.map(({ digest, name }) => {
    const rule = known.get(name)
    return rule?.digest === digest ? rule : { name, digest, generation, since: now }
  })
  const kept = new Set(rules.filter((rule) => known.get(rule.name) === rule).map(({ name }) => name))
  const ended = before.map(({ name }) => name).filter((name) => !kept.has(name))
  return { rules, hasChanged: kept.size < rules.length || ended.length > 0, ended }
}
