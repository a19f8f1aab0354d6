/** `npm run release -- X.Y.Z`: checks that a version can be released, runs every suite, and makes its commit. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { prepareRelease } from './prepare-release.ts'

const folder = fileURLToPath(new URL('../..', import.meta.url))
const version = process.argv[2] ?? ''

try {
  prepareRelease({
    folder,
    version,
    today: new Date().toISOString().slice(0, 10),
    runSuites: () => {
      for (const script of ['check', 'test:release']) {
        execFileSync('npm', ['run', script], {
          cwd: folder,
          stdio: 'inherit',
          env: { ...process.env, SHIPBELL_RELEASE: '1' },
        })
      }
    },
  })
  process.stdout.write(`Version ${version} is committed. Nothing is tagged or published: CONTRIBUTING.md says how.\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
