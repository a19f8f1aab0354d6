import { describe, expect, it } from 'vitest'
import { anchorsOf, isFile, linksOf, placeOf, readPage, readPages, readSources } from './pages.ts'

const PAGES = readPages()

/** How blocks are tested; docs/README.md lists the same. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  sh: ['run', 'start', 'shape', 'serves', 'install'],
  text: ['output', 'help', 'figure'],
  yaml: ['check', 'included', 'shape'],
  json: [],
  js: ['receiver', 'module', 'typed'],
  liquid: ['file=eta.liquid'],
  ...Object.fromEntries(['python', 'php', 'go', 'java', 'ruby'].map((language) => [language, ['receiver']])),
}

describe('the documentation', () => {
  it('has a README of at most 150 lines, and pages of at most 200 but for the reference', () => {
    const long = PAGES.filter(({ name, text }) => linesIn(text) > mostLines(name))
    expect(long.map(({ name }) => name).filter((name) => !name.startsWith('docs/reference/'))).toEqual([])
    expect(PAGES.length).toBeGreaterThan(40)
  })

  it('marks every block with how it is tested', () => {
    const unmarked = PAGES.flatMap(({ blocks }) => blocks).filter(({ language, role }) => {
      const known = ROLES[language]
      return known === undefined || role === null || (known.length > 0 && !known.includes(role))
    })
    expect(unmarked.map(placeOf)).toEqual([])
  })

  it('has a block for every fence', () => {
    const fences = PAGES.map(({ name, text }) => [name, text.match(/^ *```/gm)?.length ?? 0] as const)
    const blocks = PAGES.map(({ name, blocks: { length } }) => [name, length * 2] as const)
    expect(blocks).toEqual(fences)
  })

  it('links to files and headings that there are', () => {
    const anchors = new Map(PAGES.map((page) => [page.name, anchorsOf(page)]))
    const broken = PAGES.flatMap(linksOf).filter(
      ({ file, anchor }) => !isFile(file) || (anchor !== null && anchors.get(file)?.has(anchor) !== true),
    )
    expect(broken.map(({ from, target }) => `${from}: ${target}`)).toEqual([])
  })

  it('names every page of docs/ in its index', () => {
    const indexed = new Set(
      ['docs/README.md', 'docs/reference/events.md'].flatMap((name) => linksOf(readPage(name))).map(({ file }) => file),
    )
    const missing = PAGES.map(({ name }) => name).filter((name) => name.startsWith('docs/') && !indexed.has(name))
    expect(missing).toEqual(['docs/README.md'])
  })

  it('quotes errors that the program says', () => {
    const [, sentences = ''] = readPage('docs/reference/errors.md').text.split('## What errors say')
    const rows = sentences.matchAll(/^\| [123] +\| (.+?) +\|$/gm)
    const source = sourceText()
    const quoted = [...rows].map(([, sentence = '']) => sentence)
    expect(quoted.length).toBeGreaterThan(10)
    expect(quoted.filter((sentence) => !isSaid(sentence, source))).toEqual([])
  })
})

/** A receiver is one whole program on one page. */
function mostLines(name: string): number {
  if (name.startsWith('docs/how-to/receive/')) return 280
  return name === 'README.md' ? 150 : 200
}

function linesIn(text: string): number {
  return text.trimEnd().split('\n').length
}

/** All of src, without the escapes of template texts. */
function sourceText(): string {
  return [...readSources().values()].join('\n').replaceAll('\\`', '`')
}

/** Whether each part between two `…` stands in the source. */
function isSaid(sentence: string, source: string): boolean {
  const parts = sentence
    .split('…')
    .map((part) => part.trim())
    .filter((part) => /\w{3}/.test(part))
  return parts.length > 0 && parts.every((part) => source.includes(part))
}
