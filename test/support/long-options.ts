import type { TestUserConfig } from 'vitest/node'
import { fileURLToPath } from 'node:url'

/** The tag of single cases that only the long suite runs, beside quicker ones of what they try: `{ tags: 'long' }`. */
export const LONG_TAG = { name: 'long', description: 'What takes a quarter of a second and more.' }

/** Of all suites but that of `npm test`. */
export const LONG_OPTIONS = {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  pool: 'forks',
  tags: [LONG_TAG],
  testTimeout: 600_000,
  // A folder with all packages takes long to remove.
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  // As Node runs the program itself: nothing is transformed.
  experimental: { viteModuleRunner: false, nodeLoader: false },
} satisfies TestUserConfig

/** What their workers share: what Node makes of sources, and what takes long to make. */
export const LONG_SETUPS = ['compile-cache.ts', 'shared-folder.ts'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
)
