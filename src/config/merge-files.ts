import { childOf, entriesOf, isNull, type ConfigNode, type MapNode } from './config-node.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted, type Position, type Problem } from './problem.ts'

/** What an included file may hold: names and their settings. */
const SHARED_SECTIONS = ['accounts', 'subscriptions'] as const

type Section = (typeof SHARED_SECTIONS)[number]
type Report = (problem: Problem) => void

/** One tree of a main file and those that it includes. A name that stands twice is reported, and the first one holds. */
export function mergeFiles(main: ConfigNode, included: readonly ConfigNode[], report: Report): ConfigNode {
  if (main.kind !== 'map') return main
  const parts = included.filter((part) => isPart(part, report))
  const includes = main.children.has('include')
  return SHARED_SECTIONS.reduce<MapNode>((whole, section) => {
    const own = childOf(main, section) ?? (includes ? emptySection(main) : undefined)
    // What is wrong with a section of the main file, its schema says.
    if (own?.kind !== 'map') return whole
    const children = new Map(own.children)
    for (const part of parts) addNames({ section, children, part }, report)
    return { ...whole, children: new Map([...whole.children, [section, { ...own, children }]]) }
  }, main)
}

/** Accounts and subscriptions may all stand in included files. */
function emptySection({ at, keyAt }: MapNode): MapNode {
  return { kind: 'map', at, keyAt, children: new Map() }
}

interface Addition {
  readonly section: Section
  readonly children: Map<string, ConfigNode>
  readonly part: ConfigNode
}

function addNames({ section, children, part }: Addition, report: Report): void {
  for (const [name, node] of entriesOf(childOf(part, section))) {
    const first = children.get(name)
    if (first === undefined) children.set(name, node)
    else report(problemAt(node.keyAt, standsTwice(section, name, first.keyAt)))
  }
}

function standsTwice(section: Section, name: string, { file, line, column }: Position): string {
  const what = section.slice(0, -1)
  return `the ${what} ${quoted(name)} stands here and at ${file}:${line}:${column}: keep one, or rename one`
}

/** Whether it can be merged, at least in part. */
function isPart(part: ConfigNode, report: Report): boolean {
  if (part.kind !== 'map') {
    const message = 'an included file must be a mapping with `accounts`, `subscriptions` or both'
    if (part.kind !== 'broken') report(problemAt(part.at, message))
    return false
  }
  for (const [key, node] of part.children) {
    const problem = isSection(key) ? wrongSection(key, node) : problemAt(node.keyAt, strangerIn(key))
    if (problem !== null) report(problem)
  }
  return true
}

function isSection(key: string): key is Section {
  return SHARED_SECTIONS.some((section) => section === key)
}

function wrongSection(key: Section, node: ConfigNode): Problem | null {
  if (node.kind === 'map' || node.kind === 'broken') return null
  return problemAt(isNull(node) ? node.keyAt : node.at, `\`${key}\` must be a mapping from names to settings`)
}

function strangerIn(key: string): string {
  if (key === 'include') return 'an included file cannot include others: name them in the main file'
  const nearest = nearestName(key, SHARED_SECTIONS)
  return nearest === undefined
    ? `${quoted(key)} cannot stand in an included file, which has \`accounts\` and \`subscriptions\` alone: write it in the main file`
    : `unknown key ${quoted(key)}: did you mean \`${nearest}\`?`
}
