import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isMissing, readNamedText, troubleWords, type FileTrouble } from '../named-file.ts'
import type { ConfigFile } from './config-file.ts'
import { childOf, entriesOf, isLiteral, isNull, type ConfigNode, type MapNode, type ScalarNode } from './config-node.ts'
import { MOST_ENTRIES, matchesOf } from './glob.ts'
import { nearestName } from './nearest-name.ts'
import { printable, problemAt, quoted, startOf, type Position, type Problem } from './problem.ts'
import type { Reading } from './reading.ts'

/**
 * The files that `include` names, each once, in the order of the patterns and then of their names. What cannot be read is
 * reported: a customer's file never goes missing in silence.
 */
export function includedFiles(root: ConfigNode, reading: Reading): readonly ConfigFile[] {
  const include = childOf(root, 'include')
  if (include?.kind !== 'list') return []
  const seen = new Set([realPath(reading.main.absolute)])
  return [...include.children.values()].flatMap((node) => {
    if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return []
    const pattern = path.resolve(reading.folder, node.value)
    reading.patterns.add(pattern)
    const matches = matchesOf(pattern)
    if (matches === null) {
      reading.isPartial = true
      reading.report(tooVast(node, node.value))
      return []
    }
    if (matches.length === 0) reading.report(nothingMatches(node, node.value))
    return matches.flatMap((file) => {
      const real = realPath(file)
      if (seen.has(real)) return []
      seen.add(real)
      return openIncluded(file, { node, reading })
    })
  })
}

/** A name that is no pattern stands for a file that must be there. */
function nothingMatches(node: ScalarNode, pattern: string): Problem {
  const shown = isLiteral(node) ? quoted(pattern) : 'this'
  return /[*?[{]/.test(pattern)
    ? problemAt(node.at, `${shown} matches no file: nothing is included by it`, 'warning')
    : problemAt(node.at, `there is no file ${shown} to include: mend the path, relative to the configuration`)
}

function tooVast(node: ScalarNode, pattern: string): Problem {
  const shown = isLiteral(node) ? quoted(pattern) : 'this'
  const most = MOST_ENTRIES.toLocaleString('en')
  const remedy = 'name a folder that holds files of the configuration alone'
  return problemAt(node.at, `${shown} meets more than ${most} files and folders: ${remedy}`)
}

interface Including {
  readonly node: ConfigNode
  readonly reading: Reading
}

function openIncluded(absolute: string, { node, reading }: Including): readonly ConfigFile[] {
  const shown = shownName(absolute, reading)
  reading.list.addFile(shown)
  const source = readNamedText(absolute)
  const isStranger = 'trouble' in source && (source.trouble.kind === 'folder' || source.trouble.kind === 'special')
  if (!isStranger) reading.files.add(absolute)
  if ('text' in source) return [reading.include({ absolute, shown, text: source.text })]
  // It was there when the folder was listed: removed since, as if it had been before.
  if (isMissing(source.trouble) && !isThere(absolute)) return []
  reading.isPartial = true
  reading.report(isStranger ? strangerAt(node, shown, source.trouble) : unreadable(shown, source.trouble))
  return []
}

/** A pattern that meets what no configuration can be in is at fault. */
function strangerAt({ at }: ConfigNode, shown: string, trouble: FileTrouble): Problem {
  const remedy =
    trouble.kind === 'folder'
      ? `name the files in it, such as ${quoted(`${shown}/*.yaml`)}`
      : 'remove it, or narrow the pattern'
  return problemAt(at, `${quoted(shown)} ${troubleWords(trouble)}: ${remedy}`)
}

/** Beside the main file, as that is given. */
function shownName(absolute: string, { main, folder }: Reading): string {
  if (path.isAbsolute(main.shown)) return printable(absolute)
  return printable(path.join(path.dirname(main.shown), path.relative(folder, absolute)))
}

function unreadable(shown: string, trouble: FileTrouble): Problem {
  if (isMissing(trouble)) return problemAt(startOf(shown), 'this link points to no file: mend it, or remove it')
  const remedy = trouble.kind === 'failed' ? 'make it readable, or remove it' : REMEDIES[trouble.kind]
  return problemAt(startOf(shown), `this file ${troubleWords(trouble)}: ${remedy}`)
}

const REMEDIES: Readonly<Record<Exclude<FileTrouble['kind'], 'failed'>, string>> = {
  folder: 'name the files in it',
  special: 'remove it',
  large: 'share it out over several files',
  not_text: 'save it as UTF-8',
}

function isThere(file: string): boolean {
  return orNull(() => lstatSync(file)) !== null
}

function realPath(file: string): string {
  return orNull(() => realpathSync(file)) ?? file
}

function orNull<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}

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

/** Whether a file can be merged, at least in part. */
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

/** Only the accounts or the subscriptions of all files, with the defaults of the main one; null where that cannot be read. */
export function sectionTree(section: 'accounts' | 'subscriptions', reading: Reading): ConfigNode | null {
  const main = reading.mainTree([section, 'include', 'defaults'])
  if (main === null) return null
  const parts = includedFiles(main, reading).flatMap((file) => file.tree('', [section]) ?? [])
  return mergeFiles(main, parts, (problem) => reading.report(problem))
}
