import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { changelogProblem } from './changelog.ts'
import { isNewer, namedVersions, setVersion } from './versions.ts'

export interface Release {
  /** The clone that is released from. */
  readonly folder: string
  readonly version: string
  /** `YYYY-MM-DD` */
  readonly today: string
  /** Runs every suite; throws where one fails. */
  readonly runSuites: () => void
}

/**
 * Makes the commit of a version: where everything is in order, the version is written, the suites run, and what was written is
 * committed, and nothing else. Where a suite fails, the files are as they were. Nothing is tagged and nothing is published. Throws a sentence.
 */
export function prepareRelease(release: Release): void {
  const problem = releaseProblem(release)
  if (problem !== null) throw new Error(problem)
  const { folder, version, runSuites } = release
  const before = presentVersion(folder)
  setVersion(folder, version)
  try {
    runSuites()
  } catch (cause) {
    setVersion(folder, before)
    throw new Error('A suite failed, and nothing was released: mend it, and run this again.', { cause })
  }
  const files = namedVersions(folder).map(({ file }) => file)
  git(folder, ['commit', '--quiet', '--message', `Prepare version ${version}`, '--', ...new Set(files)])
}

/** What keeps a version from being released, in a sentence; null: nothing does. */
export function releaseProblem({ folder, version, today }: Omit<Release, 'runSuites'>): string | null {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return 'Say which version it is, as in: npm run release -- 0.3.0'
  return (
    treeProblem(folder) ??
    versionProblem(folder, version) ??
    changelogProblem(readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8'), { version, today })
  )
}

function treeProblem(folder: string): string | null {
  const changed = git(folder, ['status', '--porcelain']).split('\n').filter(Boolean)
  if (changed.length === 0) return null
  return `The clone has changes that are not committed: commit or undo them.\n${changed.join('\n')}`
}

function versionProblem(folder: string, version: string): string | null {
  const versions = namedVersions(folder)
  const present = presentVersion(folder)
  const other = versions.find((each) => each.version !== present)
  if (other !== undefined)
    return `package.json says ${present}, but ${other.file} says ${other.version ?? 'nothing'}: make them agree.`
  if (!isNewer(version, present)) return `${version} does not come after ${present}, the version in package.json.`
  const tag = git(folder, ['tag', '--list', `v${version}`]).trim()
  return tag === '' ? null : `The tag ${tag} is there already.`
}

function presentVersion(folder: string): string {
  return namedVersions(folder)[0]?.version ?? '0.0.0'
}

function git(folder: string, args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' })
}
