import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPage, readSources, ROOT } from './pages.ts'

const PAGES = ['src/README.md', 'CONTRIBUTING.md', 'docs/glossary.md']
/** The suites that a page sends its reader to are among them. */
const SOURCES = [...readSources().values(), readFileSync(path.join(ROOT, 'test/store/conformance.ts'), 'utf8')]
const FILES = filesOf(ROOT, ['src', 'test', 'docs', 'config'])

describe('what is written for those who change the code', () => {
  it.each(PAGES)('%s names files and folders that there are', (page) => {
    const missing = spansOf(page).filter((span) => isPath(span) && !exists(span))
    expect(missing).toEqual([])
  })

  it.each(PAGES)('%s names types and functions that there are', (page) => {
    const missing = spansOf(page).filter((span) => isIdentifier(span) && !isDeclared(span))
    expect(missing).toEqual([])
  })

  it('src/README.md has names to look at, and at most 200 lines', () => {
    const spans = spansOf('src/README.md')
    expect(spans.filter(isPath).length).toBeGreaterThan(50)
    expect(spans.filter(isIdentifier).length).toBeGreaterThan(30)
    expect(readPage('src/README.md').text.split('\n').length).toBeLessThanOrEqual(201)
  })
})

/** What stands in backquotes. */
function spansOf(page: string): readonly string[] {
  const prose = readPage(page).text.replaceAll(/^```.*?^```/gms, '')
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
}

function isPath(span: string): boolean {
  return /^[\w.<>-]+(?:\/[\w.<>-]*)+$|^[\w-]+\.(?:ts|js|md)$/.test(span)
}

/** Relative to `src/`, or to the root; `<resource>` stands for any name. */
function exists(span: string): boolean {
  const parts = span.split(/<\w+>/).map((part) => part.replaceAll('.', String.raw`\.`))
  const wanted = new RegExp(`^(?:src/)?${parts.join('[\\w-]+')}${span.endsWith('/') ? '' : '$'}`)
  return FILES.some((file) => wanted.test(file))
}

/** `PageReader`, `commitBatch`, `Committer.commit`, `FORMATS`. */
function isIdentifier(span: string): boolean {
  return /^(?:[A-Z][A-Za-z]+|[a-z]+[A-Z]\w*)(?:\.[a-z]\w*)?$/.test(span)
}

/** What each source declares, and what is written there like a member. */
const DECLARED = SOURCES.map((text) => ({
  names: found(text, /\b(?:class|interface|function\*?|const|type) (\w+)\b|^ +(?:readonly )?(\w+)[?]?[:(]/gm),
  members: found(text, /^ +(?:static )?(?:async )?(?:readonly )?(\w+)[?<(:]/gm),
}))

function found(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map(([, one, other]) => one ?? other ?? ''))
}

function isDeclared(span: string): boolean {
  const [name = '', member] = span.split('.')
  return DECLARED.some(({ names, members }) => names.has(name) && (member === undefined || members.has(member)))
}

function filesOf(root: string, folders: readonly string[]): readonly string[] {
  const inside = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  return [...readdirSync(root), ...inside]
}
