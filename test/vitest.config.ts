import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The lives of worlds take longest: they begin first, so that no worker is left alone with them at the end. */
class WorldsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [true, false].flatMap((first) =>
      sorted.filter(({ moduleId }) => moduleId.includes('/test/world/') === first),
    )
  }
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
    sequence: { hooks: 'stack', sequencer: WorldsFirst },
  },
})
