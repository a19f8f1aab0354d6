import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../config/scratch.ts'
import { placeOf, readPages, ROOT } from './pages.ts'

const BLOCKS = readPages().flatMap(({ blocks }) => blocks.filter(({ role }) => role === 'install'))
const SHOW = `import { verify } from '@shipbell/events'
import example from '@shipbell/events/examples/invoice.due.json' with { type: 'json' }
console.log(typeof verify, example.type)`

test.each(BLOCKS.map((block) => [placeOf(block), block.text] as const))('%s installs the package', (_, script) => {
  const beside = scratchFolder()
  symlinkSync(ROOT, path.join(beside, 'shipbell'))
  const project = path.join(beside, 'project')
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), '{ "name": "project", "type": "module" }')
  // Nobody answers there: what is installed has to be in the file.
  const env = {
    ...process.env,
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_audit: 'false',
    npm_config_fetch_retries: '0',
  }
  execFileSync('sh', ['-ec', script], { cwd: project, env, stdio: 'pipe' })
  writeFileSync(path.join(project, 'show.js'), SHOW)
  expect(execFileSync(process.execPath, ['show.js'], { cwd: project, encoding: 'utf8' })).toBe('function invoice.due\n')
})

test('there are such blocks', () => {
  expect(BLOCKS.length).toBeGreaterThan(1)
})
