import type { AccountSettings } from '../model/account.ts'
import type { ExpectationRule, SeenResource } from '../model/expectation.ts'
import { watchedAs, type Watchable } from '../model/resource.ts'
import { compileExpectation, RULE_EXPRESSIONS } from '../route/expectation/compile-expectation.ts'
import type { CompiledRule } from '../route/expectation/compiled-rule.ts'
import { exploreFilter, type StrangePart } from '../route/filter/explore-filter.ts'
import { KNOWN_WORDS } from '../samples/known-words.ts'
import { sampleView } from '../samples/sample-view.ts'
import { isLiteral, nodeAt, placeWithin, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted, type Problem } from './problem.ts'

interface ConfiguredRule {
  readonly compiled: CompiledRule
  readonly accounts: readonly AccountSettings[]
  readonly node: ConfigNode
}

function rulesIn({ accounts }: Config, root: ConfigNode): readonly ConfiguredRule[] {
  const named = accounts.flatMap((account) => (account.expectations ?? []).map((rule) => ({ account, rule })))
  return [...Map.groupBy(named, ({ rule }) => rule.name)].flatMap(([name, uses]) => {
    const compiled = compiledOf(uses[0]?.rule)
    if (compiled === null) return []
    return [{ compiled, accounts: uses.map(({ account }) => account), node: nodeAt(root, ['expectations', name]) }]
  })
}

function compiledOf(rule: ExpectationRule | undefined): CompiledRule | null {
  const compiled = rule && compileExpectation(rule)
  return compiled?.kind === 'rule' ? compiled.rule : null
}

/** Rules that look at what none of their accounts watches: they could never be judged. */
export function expectationProblems(config: Config, root: ConfigNode): readonly Problem[] {
  return rulesIn(config, root).flatMap(({ accounts, compiled, node }) => {
    const lacking = accounts.map((account) => unwatchedBy(account, compiled.resources))
    const [first = []] = lacking
    const [watch] = first
    if (watch === undefined || lacking.some((each) => each.length === 0)) return []
    const message = `it looks at \`${watch}\`, which none of its accounts watches: add \`${watch}: {}\` to their \`watch\``
    return [problemAt(node.keyAt, message)]
  })
}

function unwatchedBy({ watch }: AccountSettings, resources: readonly SeenResource[]): readonly Watchable[] {
  return resources.map(watchedAs).filter((name) => watch[name] === undefined)
}

/** What rules ask for in vain: a field that no sample has, a word that a field never is, or what cannot be judged on a sample. */
export function expectationWarnings(config: Config, root: ConfigNode): readonly Problem[] {
  return rulesIn(config, root).flatMap(({ accounts, compiled, node }) => {
    const { rule } = compiled
    const view = sampleView(rule.about)
    const known = { payloads: [view.records], words: KNOWN_WORDS }
    const strange = RULE_EXPRESSIONS.flatMap((key) => {
      const at = nodeAt(root, ['expectations', rule.name, key])
      return exploreFilter(rule[key], known).map((part) =>
        problemAt(placeWithin(at, part.offset), sentence(part, isLiteral(at)), 'warning'),
      )
    })
    const verdict = compiled.judge(view)
    const failing =
      verdict.kind === 'failed' && strange.length === 0
        ? [problemAt(node.keyAt, `it cannot be judged on a sample: ${verdict.reason}`, 'warning')]
        : []
    return [...strange, ...failing, ...unheard(accounts, compiled, node)]
  })
}

/** Accounts where the rule is not judged, although it is in others. */
function unheard(
  accounts: readonly AccountSettings[],
  { resources }: CompiledRule,
  node: ConfigNode,
): readonly Problem[] {
  const without = accounts.filter((account) => unwatchedBy(account, resources).length > 0)
  const [first] = without
  if (first === undefined || without.length === accounts.length) return []
  const message = `it is not judged in account ${quoted(first.name)}, which does not watch \`${unwatchedBy(first, resources).join('`, `')}\``
  return [problemAt(node.keyAt, message, 'warning')]
}

function sentence({ kind, known, name, path }: StrangePart, shown: boolean): string {
  if (!shown) return 'it names what no sample has; the value of a variable in it is not shown'
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? '' : `: did you mean ${quoted(nearest)}?`
  if (kind === 'word') return `${quoted(path)} is never ${quoted(name)}${hint}`
  return `no sample has ${quoted(path)}${hint === '' ? ': unless your platform adds it, it is null' : hint}`
}
