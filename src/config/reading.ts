import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isMap, isScalar } from 'yaml'
import { ShipbellError } from '../errors.ts'
import { withReplaced, type ConfigNode } from './config-node.ts'
import { byPosition, problemAt, START, type Problem } from './problem.ts'
import { TreeReader } from './read-tree.ts'
import { variablesBeside, type Variables } from './variables.ts'
import { parseYaml, type YamlSource } from './yaml-source.ts'

/** One reading of one file: its text as a tree, and the problems found so far. */
export class Reading {
  /** Absolute: what was read, and what would be if it existed. */
  readonly files: Set<string>
  readonly folder: string
  readonly variables: Variables
  readonly #source: YamlSource
  readonly #tree: TreeReader
  readonly #problems = new Map<string, Problem>()

  constructor(
    file: string,
    { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
  ) {
    const absolute = path.resolve(cwd, file)
    this.files = new Set([absolute])
    this.folder = path.dirname(absolute)
    this.variables = variablesBeside(this.folder, env, (read) => this.files.add(read))
    this.#source = parseYaml(readText(absolute, file))
    this.#tree = new TreeReader(this.#source, this.variables, (problem) => this.report(problem))
    this.report(...this.#source.problems)
  }

  /** In the order of the file. */
  get problems(): readonly Problem[] {
    return [...this.#problems.values()].sort(byPosition)
  }

  get failed(): boolean {
    return this.problems.some(({ severity }) => severity === 'error')
  }

  /** The same problem at the same place is kept once: an anchor may be read many times. */
  report(...problems: readonly Problem[]): void {
    for (const problem of problems)
      this.#problems.set(JSON.stringify([problem.line, problem.column, problem.message]), problem)
  }

  /** The file, or only one of its top-level keys; null where its syntax is wrong or it is empty. */
  tree(only?: string): ConfigNode | null {
    if (this.failed) return null
    const { root } = this.#source
    if (root === null || (isScalar(root) && root.value === null)) {
      this.report(problemAt(START, 'the file is empty: `shipbell init` writes one to start from'))
      return null
    }
    if (only === undefined) return this.#tree.read(root, START)
    const pairs = isMap(root) ? root.items.filter(({ key }) => isScalar(key) && key.value === only) : []
    const children = pairs.map(
      ({ key, value }) => [only, this.#tree.read(value, this.#source.positionOf(key))] as const,
    )
    return { kind: 'map', at: START, keyAt: START, children: new Map(children) }
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

function readText(absolute: string, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(absolute))
  } catch (cause) {
    throw new ShipbellError('config_invalid', whyUnreadable(cause, shown), { cause })
  }
}

function whyUnreadable(error: unknown, shown: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOENT':
      return `There is no configuration ${shown}: write one with \`shipbell init\`, or name another with -c FILE.`
    case 'EISDIR':
      return `${shown} is a folder: name the configuration file in it with -c FILE.`
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return `${shown} is not UTF-8 text: save it as UTF-8.`
    default:
      return `${shown} cannot be read (${code}): make it readable, or name another with -c FILE.`
  }
}
