import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))
/** What nearly every command takes: words of a command line, the configuration's text, its schema, dates. */
const COMMON = ['commander', 'ipaddr.js', 'leven', 'temporal-polyfill', 'yaml', 'zod']
const STORE = 'better-sqlite3'
const OF_TEMPLATES = ['big.js', 'liquidjs']
const OF_EXPRESSIONS = ['@bufbuild/re2', '@marcbachmann/cel-js']

interface Loaded {
  readonly files: number
  readonly packages: readonly string[]
}

describe('what loads before a command does anything', () => {
  // Each file and each module of a package takes some 0.7 ms of a start. `most`: a little above what it is.
  test.each([
    { entries: ['main.ts'], most: 15, packages: ['commander'] },
    { entries: ['complete.ts'], most: 25, packages: ['@bomb.sh/tab', 'leven', 'yaml'] },
    { entries: ['main.ts', 'cli/records.ts'], most: 120, packages: [...COMMON, ...OF_TEMPLATES, STORE] },
    { entries: ['main.ts', 'cli/events.ts'], most: 155, packages: [...COMMON, ...OF_TEMPLATES, STORE] },
    { entries: ['main.ts', 'cli/deliveries.ts'], most: 150, packages: [...COMMON, ...OF_TEMPLATES, STORE] },
    { entries: ['main.ts', 'cli/check.ts'], most: 270, packages: [...COMMON, ...OF_TEMPLATES, ...OF_EXPRESSIONS] },
    {
      entries: ['main.ts', 'cli/status.ts'],
      most: 335,
      packages: [...COMMON, ...OF_TEMPLATES, ...OF_EXPRESSIONS, STORE],
    },
    { entries: ['store/file/open-store.ts'], most: 190, packages: [STORE, 'big.js'] },
  ])('$entries: at most $most files', ({ entries, most, packages }) => {
    const loaded = loadedBy(entries)
    expect(loaded.packages).toEqual(packages.toSorted())
    expect(loaded.files).toBeLessThanOrEqual(most)
  })
})

/** What these files import, and what that imports, but for what is imported when it is needed. */
function loadedBy(entries: readonly string[]): Loaded {
  const files = new Set(entries)
  const packages = new Set<string>()
  for (const file of files) {
    for (const name of importedBy(file)) {
      if (name.startsWith('.')) files.add(path.join(path.dirname(file), name))
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
    }
  }
  return { files: files.size, packages: [...packages].toSorted() }
}

function importedBy(file: string): readonly string[] {
  if (!file.endsWith('.ts')) return []
  const text = readFileSync(path.join(SRC, file), 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\s)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gms)
  return [...statements].map(([, name = '']) => name)
}
