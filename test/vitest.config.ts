import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest begins first, so that no worker is left alone with it at the end. */
const LONGEST = ['/test/world/', 'store/postgres.property', 'deliver/recovery.test', 'postgres-delta-documents']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const nth = LONGEST.findIndex((name) => moduleId.includes(name))
  return nth === -1 ? LONGEST.length : nth
}

const SETUPS = [
  new URL('support/memory-folder.ts', import.meta.url),
  new URL('support/compile-cache.ts', import.meta.url),
]

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    globalSetup: SETUPS.map((each) => fileURLToPath(each)),
    // As Node runs the program itself: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 60_000,
    sequence: { hooks: 'stack', sequencer: LongestFirst },
  },
})
