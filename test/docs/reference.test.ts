import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { isFile, readPage, readSources, ROOT } from './pages.ts'
import { generatedPages } from './reference/generated-pages.ts'

describe('the reference', async () => {
  const pages = await generatedPages()

  it.each([...pages.keys()])('%s is what `npm run docs` writes', (name) => {
    expect(isFile(name)).toBe(true)
    expect(readFileSync(path.join(ROOT, name), 'utf8')).toBe(pages.get(name))
  })

  it('has an example of every event type', () => {
    const names = [...pages.keys()].filter((name) => name.endsWith('.md'))
    const blocks = names.flatMap((name) => readPage(name).blocks)
    const shown = blocks.flatMap(({ options }) => options['event'] ?? [])
    expect(shown.toSorted()).toEqual(EVENT_CATALOGUE.map(({ type }): string => type).toSorted())
  })

  it('names every log line', () => {
    const rows = readPage('docs/reference/log-lines.md').text.matchAll(/^\| `([a-z]+\.[a-z_]+)` +\| /gm)
    expect([...rows].map(([, name = '']) => name).toSorted()).toEqual(loggedMessages())
  })
})

/** The last argument of each call of a logger; the lines of `endpoint.*` are named like their events. */
function loggedMessages(): readonly string[] {
  const call = /\blog\.(?:info|warn|error)\(\s*(?:(?:[^()]|\([^()]*\))*?,\s*)?'([a-z]+\.[a-z_]+)',?\s*\)/g
  const messages = [...readSources().values()].flatMap((text) => [...text.matchAll(call)].map(([, name = '']) => name))
  const health = ['endpoint.failing', 'endpoint.exhausted', 'endpoint.disabled', 'endpoint.recovered']
  return [...new Set([...messages, ...health])].toSorted()
}
