import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import type { BrokenNode, ConfigNode, ScalarNode } from './config-node.ts'
import { problemAt, type Position, type Problem } from './problem.ts'
import { interpolate, type Variables } from './variables.ts'

const MOST_NODES = 20_000
const DEEPEST = 64

interface Place {
  readonly at: Position
  readonly keyAt: Position
}

/**
 * Turns parsed YAML into nodes: aliases and merge keys resolved, variables replaced. Bounded: a file whose aliases multiply
 * (a billion laughs) or contain themselves is reported, not expanded.
 */
export class TreeReader {
  readonly #source: YamlSource
  readonly #variables: Variables
  readonly #report: (problem: Problem) => void
  readonly #targets = new Map<Alias, Node | undefined>()
  #nodes = 0

  constructor(source: YamlSource, variables: Variables, report: (problem: Problem) => void) {
    this.#source = source
    this.#variables = variables
    this.#report = report
  }

  read(node: unknown, keyAt: Position, depth = 0): ConfigNode {
    const at = node === null || node === undefined ? keyAt : this.#source.positionOf(node)
    this.#nodes += 1
    if (this.#nodes > MOST_NODES || depth > DEEPEST) return this.#overflow({ at, keyAt })
    if (isAlias(node)) return { ...this.read(this.#target(node), keyAt, depth + 1), keyAt }
    if (isMap(node)) return { kind: 'map', at, keyAt, children: this.#entries(node, depth) }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.read(item, this.#source.positionOf(item), depth + 1))
      return { kind: 'list', at, keyAt, children: new Map(items.map((item, index) => [String(index), item])) }
    }
    const scalar = this.text(isScalar(node) ? node.value : null, { at, keyAt })
    return isScalar(node) ? withTextAt(scalar, node) : scalar
  }

  /** A scalar with its variables replaced. */
  text(value: unknown, place: Place): ScalarNode | BrokenNode {
    if (typeof value !== 'string') return { kind: 'scalar', ...place, value: otherScalar(value), drawn: [] }
    const result = interpolate(unshieldVariables(value), this.#variables)
    if (result.kind === 'text') {
      const { drawn, isDefault, text } = result
      const written = drawn.length > 0 && { written: unshieldVariables(value) }
      return { kind: 'scalar', ...place, value: text, drawn, ...written, ...(isDefault && { isDefault }) }
    }
    for (const reason of result.reasons) this.#report(problemAt(place.at, reason))
    return { kind: 'broken', ...place }
  }

  #target(alias: Alias): Node | undefined {
    const known = this.#targets.get(alias)
    if (known !== undefined) return known
    const target = alias.resolve(this.#source.document)
    this.#targets.set(alias, target)
    return target
  }

  #entries(map: YAMLMap, depth: number): ReadonlyMap<string, ConfigNode> {
    const merged = new Map<string, ConfigNode>()
    const own = new Map<string, ConfigNode>()
    for (const pair of map.items) {
      const keyAt = this.#source.positionOf(pair.key)
      const value = this.read(pair.value, keyAt, depth + 1)
      if (isMergeKey(pair)) this.#merge(merged, value)
      else if (isScalar(pair.key) && pair.key.value === '__proto__')
        this.#report(problemAt(keyAt, 'no key can be `__proto__`'))
      else own.set(isScalar(pair.key) ? unshieldVariables(String(pair.key.value)) : '', value)
    }
    return new Map([...merged, ...own])
  }

  /** Earlier sources win over later ones (yaml.org/type/merge). */
  #merge(into: Map<string, ConfigNode>, value: ConfigNode): void {
    for (const source of value.kind === 'list' ? value.children.values() : [value]) {
      if (source.kind === 'map') {
        for (const [key, node] of source.children) if (!into.has(key)) into.set(key, node)
      } else if (source.kind !== 'broken') {
        this.#report(problemAt(source.at, '`<<` merges a mapping (an alias of one), or a list of them'))
      }
    }
  }

  #overflow(place: Place): BrokenNode {
    if (this.#nodes <= MOST_NODES + 1) {
      this.#nodes = MOST_NODES + 1
      this.#report(
        problemAt(place.at, `more than ${MOST_NODES} values or ${DEEPEST} levels, aliases expanded: make it smaller`),
      )
    }
    return { kind: 'broken', ...place }
  }
}

/** Escapes, folded lines and variables make the value another text than the one that stands in the file. */
function withTextAt(node: ScalarNode | BrokenNode, { range, source, type }: Scalar): ScalarNode | BrokenNode {
  if (node.kind === 'scalar' && node.value === null && source) return { ...node, textAt: node.at }
  if (node.kind === 'broken' || node.drawn.length > 0 || typeof node.value !== 'string' || !range) return node
  const quotes = type === 'PLAIN' ? 0 : 1
  const isVerbatim = node.value === source && range[1] - range[0] === source.length + 2 * quotes
  return isVerbatim ? { ...node, textAt: { ...node.at, column: node.at.column + quotes } } : node
}

function isMergeKey({ key }: Pair): boolean {
  return isScalar(key) && (key.type === undefined || key.type === 'PLAIN') && key.value === '<<'
}

function otherScalar(value: unknown): number | boolean | null {
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** A parsed file: YAML 1.2, core schema with merge keys. */
export interface YamlSource {
  readonly document: Document
  readonly root: Node | null
  /** Errors of the syntax, duplicate keys and unknown tags and aliases included. */
  readonly problems: readonly Problem[]
  positionOf(node: unknown): Position
}

/** `file`: the name under which it is shown. */
export function parseYaml(text: string, file: string): YamlSource {
  const lines = new LineCounter()
  const document = parseDocument(shieldVariables(text), {
    merge: true,
    stringKeys: true,
    prettyErrors: false,
    resolveKnownTags: false,
    lineCounter: lines,
  })
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const positionOf = (node: unknown): Position => positionAt(isNode(node) ? (node.range?.[0] ?? 0) : 0)
  const problems = [...worthSaying(document.errors), ...document.warnings].map((error) =>
    problemAt(positionAt(error.pos[0]), SENTENCES[error.code]),
  )
  return {
    document,
    root: document.contents,
    problems: [...problems, ...aliasProblems(document, positionOf)],
    positionOf,
  }
}

/** After the first error of syntax the parser reads on in the dark: what it says then misleads. */
function worthSaying(errors: readonly YAMLError[]): readonly YAMLError[] {
  const first = errors.findIndex(({ code }) => code !== 'DUPLICATE_KEY')
  return first === -1 ? errors : errors.slice(0, first + 1)
}

/** Characters that mean something to YAML, and stand-ins of the same length from the private use area. */
const MEANINGFUL = '{}[],#'
const FIRST_STAND_IN = 0xe000

/** Hides the inside of `${…}` from YAML, so that it needs no quotes between brackets: `{ url: ${ERP_URL} }`. */
function shieldVariables(text: string): string {
  return text.replaceAll(/\$\{[^}\n]*\}/g, ([dollar = '', ...rest]) =>
    [dollar, ...rest.map((character) => standInOf(MEANINGFUL.indexOf(character)) ?? character)].join(''),
  )
}

function standInOf(index: number): string | undefined {
  return index === -1 ? undefined : String.fromCodePoint(FIRST_STAND_IN + index)
}

/** The text as it stands in the file. */
function unshieldVariables(text: string): string {
  return text.replaceAll(/[\uE000-\uE005]/g, (standIn) => MEANINGFUL.charAt(standIn.charCodeAt(0) - FIRST_STAND_IN))
}

function aliasProblems(document: Document, positionOf: (node: unknown) => Position): readonly Problem[] {
  const anchors = new Set<string>()
  const problems: Problem[] = []
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        if (!anchors.has(node.source))
          problems.push(problemAt(positionOf(node), `no anchor &${node.source} stands before *${node.source}`))
      } else if (node.anchor !== undefined) anchors.add(node.anchor)
    },
  })
  return problems
}

/** Own words for every code: the parser's own may quote what stands in the file. */
const SENTENCES: Readonly<Record<YAMLError['code'], string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag',
  BAD_ALIAS: 'this alias or anchor has no valid name',
  BAD_COLLECTION_TYPE: 'a tag does not fit this value: remove the tag',
  BAD_DIRECTIVE: 'a line that starts with % is a YAML directive: remove it',
  BAD_DQ_ESCAPE: 'this escape is not valid in double quotes: write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: 'the indentation is wrong here, or a bracket before it is not closed',
  BAD_PROP_ORDER: 'an anchor or a tag stands before the value, behind the colon',
  BAD_SCALAR_START: 'a plain value cannot start with this character: put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second `key:` on one line: put it on a line of its own, or the value in quotes',
  BLOCK_IN_FLOW: 'block style cannot stand between brackets',
  DUPLICATE_KEY: 'this key stands here twice: keep one',
  IMPOSSIBLE: 'not valid YAML',
  KEY_OVER_1024_CHARS: 'a key of more than 1024 characters',
  MISSING_CHAR: 'something is missing before this place: a closing quote or bracket, a comma, a colon or a space',
  MULTILINE_IMPLICIT_KEY: 'a key is over after one line: is a colon missing?',
  MULTIPLE_ANCHORS: 'a value has one anchor at most',
  MULTIPLE_DOCS: 'a configuration is one YAML document: remove the `---` and what follows it',
  MULTIPLE_TAGS: 'a value has one tag at most',
  NON_STRING_KEY: 'a key is plain text',
  RESOURCE_EXHAUSTION: 'nested too deep',
  TAB_AS_INDENT: 'a tab cannot indent: use spaces',
  TAG_RESOLVE_FAILED: 'tags (`!…`) are not supported: write the plain value',
  UNEXPECTED_TOKEN: 'not expected here: look at the indentation, quotes and brackets before it',
}
