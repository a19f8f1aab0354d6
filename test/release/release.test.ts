import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { changelogProblem } from './changelog.ts'
import { prepareRelease, releaseProblem } from './prepare-release.ts'
import { isNewer, namedVersions } from './versions.ts'

const TODAY = '2026-11-27'
const CLONE = fileURLToPath(new URL('../..', import.meta.url))
const CHANGELOG = `# Changelog\n\n## Unreleased\n\n## 9.0.0 (${TODAY})\n\n### Added\n\n- A bell.\n\n## 0.1.0\n`
const FILES = [
  'package.json',
  'src/events/package.json',
  'package-lock.json',
  'config/kubernetes/kustomization.yaml',
] as const

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

/** A clone of its own, with what names the version. */
function clone(changelog = CHANGELOG): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-release-'))
  made.push(folder)
  for (const file of FILES) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    cpSync(path.join(CLONE, file), path.join(folder, file))
  }
  writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog)
  git(folder, 'init --quiet --initial-branch main')
  git(folder, 'config user.name Releaser')
  git(folder, 'config user.email releaser@example.org')
  git(folder, 'config commit.gpgsign false')
  git(folder, 'add --all')
  git(folder, 'commit --quiet --message First')
  return folder
}

function git(folder: string, args: string): string {
  return execFileSync('git', ['-C', folder, ...args.split(' ')], { encoding: 'utf8' }).trim()
}

function fail(): never {
  throw new Error('1 failed')
}

function problemOf(folder: string, version = '9.0.0'): string | null {
  return releaseProblem({ folder, version, today: TODAY })
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  const name = path.join(folder, file)
  writeFileSync(name, change(readFileSync(name, 'utf8')))
}

test('a release writes the version wherever it stands, runs the suites with it, and is one commit without a tag', () => {
  const folder = clone()
  const seen: (string | null)[] = []
  const runSuites = (): void => {
    seen.push(...namedVersions(folder).map(({ version }) => version))
  }
  prepareRelease({ folder, version: '9.0.0', today: TODAY, runSuites })
  expect(new Set(seen)).toEqual(new Set(['9.0.0']))
  expect(git(folder, 'log --format=%s')).toBe('Prepare version 9.0.0\nFirst')
  expect(git(folder, 'show --format= --name-only').split('\n')).toEqual([...FILES].toSorted())
  expect(git(folder, 'show --format= --numstat').split('\n')).toEqual([
    '1\t1\tconfig/kubernetes/kustomization.yaml',
    '3\t3\tpackage-lock.json',
    '1\t1\tpackage.json',
    '1\t1\tsrc/events/package.json',
  ])
  expect(git(folder, 'status --porcelain')).toBe('')
  expect(git(folder, 'tag --list')).toBe('')
})

test('a suite that fails releases nothing and leaves the clone as it was', () => {
  const folder = clone()
  expect(() => prepareRelease({ folder, version: '9.0.0', today: TODAY, runSuites: fail })).toThrow(
    'A suite failed, and nothing was released',
  )
  expect(git(folder, 'log --format=%s')).toBe('First')
  expect(git(folder, 'status --porcelain')).toBe('')
})

test('what is not committed is named', () => {
  const folder = clone()
  edit(folder, 'package.json', (text) => `${text}\n`)
  expect(problemOf(folder)).toBe('The clone has changes that are not committed: commit or undo them.\n M package.json')
})

test('versions that differ, come no later or are tagged are refused', () => {
  const folder = clone()
  const present = namedVersions(folder)[0]?.version ?? ''
  expect(problemOf(folder, present)).toBe(`${present} does not come after ${present}, the version in package.json.`)
  expect(problemOf(folder, '0.0.9')).toContain('does not come after')
  expect(problemOf(folder, '9.0')).toBe('Say which version it is, as in: npm run release -- 0.3.0')
  expect(problemOf(folder, '')).toBe('Say which version it is, as in: npm run release -- 0.3.0')
  git(folder, 'tag v9.0.0')
  expect(problemOf(folder)).toBe('The tag v9.0.0 is there already.')
  edit(folder, 'src/events/package.json', (text) => text.replace(`"version": "${present}"`, '"version": "0.0.7"'))
  git(folder, 'commit --quiet --all --message Differs')
  expect(problemOf(folder)).toBe(
    `package.json says ${present}, but src/events/package.json says 0.0.7: make them agree.`,
  )
})

test('the versions of this clone agree', () => {
  const versions = namedVersions(CLONE).map(({ version }) => version)
  expect(versions).toHaveLength(6)
  expect(new Set(versions).size).toBe(1)
})

test.each([
  ['## Unreleased\n\n## 0.1.0\n', 'CHANGELOG.md has no section `## 9.0.0 (2026-11-27)`.'],
  [
    '## Unreleased\n\n## 9.0.0 (2026-11-20)\n\n- A bell.\n',
    'CHANGELOG.md has the section `## 9.0.0 (2026-11-20)`, but today it should be `## 9.0.0 (2026-11-27)`.',
  ],
  [
    '## 9.0.0 (2026-11-27)\n\n- A bell.\n',
    'CHANGELOG.md should begin with an empty `## Unreleased`, and then `## 9.0.0 (2026-11-27)`.',
  ],
  [
    '## Unreleased\n\n### Added\n\n- More.\n\n## 9.0.0 (2026-11-27)\n\n- A bell.\n',
    'CHANGELOG.md still lists changes as unreleased: move them to 9.0.0.',
  ],
  [
    '## Unreleased\n\n## 9.0.0 (2026-11-27)\n\n### Added\n',
    'The section `## 9.0.0 (2026-11-27)` of CHANGELOG.md lists nothing.',
  ],
  [
    `## Unreleased\n\n## 9.0.0 (2026-11-27)\n\n${'- A bell.\n'.repeat(61)}`,
    'The section `## 9.0.0 (2026-11-27)` of CHANGELOG.md has 61 lines, and 60 are read: details belong into commits.',
  ],
  [
    '## Unreleased\n\n## 9.0.0 (2026-11-27)\n\n### Sundry\n\n- A bell.\n',
    'The section `## 9.0.0 (2026-11-27)` of CHANGELOG.md has the group Sundry; groups are Breaking, Added, Changed, Deprecated, Removed, Fixed, Security.',
  ],
  [CHANGELOG, null],
])('a changelog is that of the release, or says what it lacks (%#)', (text, problem) => {
  expect(changelogProblem(text, { version: '9.0.0', today: TODAY })).toBe(problem)
})

test.each([
  ['0.2.0', '0.1.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '0.99.0', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.9', '0.2.0', false],
])('%s after %s: %s', (version, other, expected) => {
  expect(isNewer(version, other)).toBe(expected)
})
