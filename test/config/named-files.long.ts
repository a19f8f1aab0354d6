import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { digestSources } from '../../src/config/source-files.ts'
import { scratchFolder } from './scratch.ts'

const VAST = fileURLToPath(new URL('../../node_modules', import.meta.url))

test.each(['*/**', '*/*/**/a.*', '{*/**/a.yaml,b/*}'])(
  'a pattern of `include` that meets more than 10,000 entries is an error: %s',
  (each) => {
    const cwd = scratchFolder({ 'shipbell.yaml': `accounts: {}\ninclude: ["${VAST}/${each}"]\n` })
    const { config, problems, sources } = loadConfig('shipbell.yaml', { env: {}, cwd })
    expect(config).toBeNull()
    expect(problems).toMatchObject([
      { line: 2, severity: 'error', message: expect.stringContaining('meets more than 10,000 files and folders') },
    ])
    expect(digestSources(sources)).toBe(digestSources(sources))
  },
)
