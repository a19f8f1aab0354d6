import { isMap, isScalar } from 'yaml'
import { withReplaced, type ConfigNode } from './config-node.ts'
import { problemAt, startOf, type Problem, type ProblemList } from './problem.ts'
import { parseYaml, TreeReader, type YamlSource } from './read-tree.ts'
import { despiteUnset, type Variables } from './variables.ts'

interface ConfigFileOptions {
  readonly absolute: string
  /** The name under which it is shown. */
  readonly shown: string
  readonly text: string
  /** What stands in place of `${…}`; relative paths start where it stands. */
  readonly variables: Variables
  readonly problems: ProblemList
  /** Whether variables without a value are no errors, and stand for themselves. */
  readonly despiteUnset?: boolean
}

/** One file of a configuration: its text as a tree. */
export class ConfigFile {
  readonly absolute: string
  readonly shown: string
  readonly variables: Variables
  readonly #problems: ProblemList
  readonly #source: YamlSource
  readonly #tree: TreeReader

  constructor({ absolute, shown, text, variables, problems, despiteUnset: isLenient = false }: ConfigFileOptions) {
    this.absolute = absolute
    this.shown = shown
    this.variables = variables
    this.#problems = problems
    this.#source = parseYaml(text, shown)
    const told = isLenient ? despiteUnset(variables) : variables
    this.#tree = new TreeReader(this.#source, told, (problem) => this.report(problem))
    this.report(...this.#source.problems)
  }

  report(...problems: readonly Problem[]): void {
    this.#problems.report(...problems)
  }

  /** The file, or only these of its top-level keys; null where its syntax is wrong or, as `empty` says, it is empty. */
  tree(empty: string, only?: readonly string[]): ConfigNode | null {
    return this.#source.problems.length > 0 ? null : this.#treeOf(empty, only)
  }

  /** The tree of these keys alone, as far as it can be read although its syntax is wrong. */
  brokenTree(only: readonly string[]): ConfigNode {
    const start = startOf(this.shown)
    return this.#treeOf('', only) ?? { kind: 'map', at: start, keyAt: start, children: new Map() }
  }

  #treeOf(empty: string, only?: readonly string[]): ConfigNode | null {
    const { root } = this.#source
    const start = startOf(this.shown)
    if (root === null || (isScalar(root) && root.value === null)) {
      this.report(problemAt(start, `the file is empty: ${empty}`))
      return null
    }
    if (only === undefined) return this.#tree.read(root, start)
    const children = (isMap(root) ? root.items : []).flatMap(({ key, value }) => {
      const name = isScalar(key) ? String(key.value) : ''
      return only.includes(name) ? [[name, this.#tree.read(value, this.#source.positionOf(key))] as const] : []
    })
    return { kind: 'map', at: start, keyAt: start, children: new Map(children) }
  }

  /** A tree with a text in a section that lacks it, its variables replaced. */
  withDefault(root: ConfigNode, [section, key]: readonly [string, string], text: string): ConfigNode {
    const whole = withReplaced(
      root,
      [section],
      (node, { keyAt }) => node ?? { kind: 'map', at: keyAt, keyAt, children: new Map() },
    )
    return withReplaced(whole, [section, key], (node, { keyAt }) => node ?? this.#tree.text(text, { at: keyAt, keyAt }))
  }
}
