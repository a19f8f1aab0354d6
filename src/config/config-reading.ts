import { isMap, isScalar, type Node } from 'yaml'
import { isJsonArray, isJsonObject, type Json } from '../model/json.ts'
import type { ConfigNode } from './config-node.ts'
import { Expander } from './expand-node.ts'
import type { FileText, Variables } from './interpolate.ts'
import { parseYaml, type YamlSource } from './parse-yaml.ts'
import { byPosition, problemAt, type Position, type Problem } from './problem.ts'
import type { Reading } from './shape.ts'

const START: Position = { line: 1, column: 1 }

/** One reading of one file: its text as nodes, and the problems found so far. */
export class ConfigReading implements Reading {
  readonly #source: YamlSource
  readonly #expander: Expander
  readonly #variables: Variables
  readonly #problems = new Map<string, Problem>()

  constructor(text: string, variables: Variables) {
    this.#source = parseYaml(text)
    this.#variables = variables
    this.#expander = new Expander(this.#source, variables, (problem) => this.report(problem))
    for (const problem of this.#source.problems) this.report(problem)
  }

  get problems(): readonly Problem[] {
    return [...this.#problems.values()].sort(byPosition)
  }

  get failed(): boolean {
    return this.problems.some(({ severity }) => severity === 'error')
  }

  /** The same problem at the same place is kept once: an anchor may be read many times. */
  report(problem: Problem): void {
    this.#problems.set(JSON.stringify([problem.line, problem.column, problem.message]), problem)
  }

  /** The file, or only one of its top-level keys; null where its syntax is wrong or it is empty. */
  root(only?: string): ConfigNode | null {
    if (this.failed) return null
    const { root } = this.#source
    if (root === null || (isScalar(root) && root.value === null)) {
      this.report(problemAt(START, 'the file is empty: `shipbell init` writes one to start from'))
      return null
    }
    if (only !== undefined && isMap(root)) return this.#expandOnly(root, only)
    return this.#expander.expand(root, START)
  }

  file(path: string): FileText {
    return this.#variables.file(path)
  }

  defaultNode(value: Json, at: Position): ConfigNode {
    const place = { at, keyAt: at }
    if (typeof value === 'string') return this.#expander.text(value, at)
    if (isJsonArray(value)) return { kind: 'list', ...place, items: value.map((item) => this.defaultNode(item, at)) }
    if (isJsonObject(value)) {
      const entries = Object.entries(value).map(([key, item]) => [key, this.defaultNode(item, at)] as const)
      return { kind: 'map', ...place, entries: new Map(entries) }
    }
    return { kind: 'scalar', ...place, value, literal: true }
  }

  #expandOnly(root: Node, only: string): ConfigNode {
    const pairs = isMap(root) ? root.items.filter(({ key }) => isScalar(key) && key.value === only) : []
    const entries = pairs.map(
      ({ key, value }) => [only, this.#expander.expand(value, this.#source.positionOf(key))] as const,
    )
    return { kind: 'map', at: START, keyAt: START, entries: new Map(entries) }
  }
}
