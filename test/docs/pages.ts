import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A fenced block. Its first word is the language; the other words say how the block is tested (docs/README.md lists them). */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  /** `run`, `check` …; null: the block has none. */
  readonly role: string | null
  readonly options: Readonly<Record<string, string>>
  readonly text: string
}

export interface Page {
  /** Relative to the root of the repository. */
  readonly name: string
  readonly text: string
  readonly blocks: readonly Block[]
}

const BESIDE_DOCS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']

/** What people read: the README, its two neighbours, and docs/. */
export function readPages(): readonly Page[] {
  const docs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  const names = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  return [...BESIDE_DOCS, ...names.toSorted()].map(readPage)
}

export function readPage(name: string): Page {
  const text = readFileSync(path.join(ROOT, name), 'utf8')
  return { name, text, blocks: blocksOf(name, text) }
}

/** A block, which may stand in a list. */
const FENCED = /^(?<indent> *)```(?<language>\S*)(?<rest>[^\n]*)\n(?<body>.*?)^ *```$/gms

function blocksOf(page: string, text: string): readonly Block[] {
  return [...text.matchAll(FENCED)].map(
    ({ index, groups: { indent = '', language = '', rest = '', body = '' } = {} }) => {
      const words = rest.trim().split(/\s+/).filter(Boolean)
      const line = text.slice(0, index).split('\n').length
      const unindented = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      return { page, line, language, role: words[0] ?? null, options: optionsOf(words), text: unindented }
    },
  )
}

/** `file=shipbell.yaml`; a word alone is an option without a value. */
function optionsOf(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(words.map((word) => [word.split('=')[0] ?? word, word.split('=')[1] ?? '']))
}

export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf({ text }: Page): ReadonlySet<string> {
  const prose = text.replaceAll(FENCED, '')
  const seen = new Map<string, number>()
  const anchors = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  })
  return new Set(anchors)
}

export interface Link {
  readonly from: string
  readonly target: string
  /** The file that it names, relative to the root. */
  readonly file: string
  readonly anchor: string | null
}

/** Links to files of the repository. */
export function linksOf({ name, text }: Page): readonly Link[] {
  const prose = text.replaceAll(FENCED, '')
  return [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#')
      const resolved = file === '' ? name : path.posix.join(path.posix.dirname(name), file)
      return { from: name, target, file: resolved, anchor: anchor ?? null }
    })
}

export function isFile(name: string): boolean {
  return existsSync(path.join(ROOT, name))
}

/** The text of every file of src, by its path. */
export function readSources(): ReadonlyMap<string, string> {
  const names = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => name.endsWith('.ts')).map((name) => `src/${name}`)
  return new Map(sources.map((name) => [name, readFileSync(path.join(ROOT, name), 'utf8')]))
}
