import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkCommand } from '../../src/cli/check.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { digestSources } from '../../src/config/source-files.ts'
import { runCommand } from '../cli/run-command.ts'
import { scratchFolder, SECRET } from './scratch.ts'

const SUBSCRIPTION = `url: https://e.example/hooks, secret: ${SECRET}, events: ["*", account.*]`
const ACCOUNT = 'base_url: https://p.example, api_key: k, watch: { shipments: {} }'

/** Configurations that name `thing`, each in another way. */
const NAMING = {
  'a secret': `accounts: { acme: { base_url: https://p.example, api_key: "\${file:thing}" } }\n`,
  'an authority': `accounts: { acme: { ${ACCOUNT}, tls: { ca: thing } } }\n`,
  'a certificate': `accounts: { acme: { ${ACCOUNT}, tls: { cert: thing } } }\n`,
  'a private key': `subscriptions: { erp: { ${SUBSCRIPTION}, tls: { key: thing } } }\n`,
  'the authority of the mail server': 'smtp: { url: smtp://m.example, tls: { ca: thing } }\n',
  'a template': `subscriptions: { ops: { slack: { url: https://s.example/x }, events: ["*"], template: thing } }\n`,
  'one file to include': 'include: [thing]\n',
  'a pattern': 'include: ["thi*"]\n',
}

/** What can stand at a path and is no plain file of at most 1 MB, and the words that say so. */
const THINGS: readonly (readonly [string, (at: string) => void, RegExp])[] = [
  ['a pipe', (at) => execFileSync('mkfifo', [at]), /no plain file but a pipe/],
  ['a device without an end', (at) => symlinkSync('/dev/zero', at), /no plain file but a pipe, a socket or a device/],
  ['a device that waits', (at) => symlinkSync('/dev/ptmx', at), /no plain file but a pipe, a socket or a device/],
  ['a folder', (at) => mkdirSync(at), /is a folder/],
  ['a link to itself', (at) => symlinkSync('thing', at), /cannot be read \(ELOOP\)/],
  ['a sparse file', (at) => sparse(at, 4e12), /larger than 1 MB/],
  ['a byte more than 1 MB', (at) => sparse(at, 1_000_001), /larger than 1 MB/],
  ['a file without a size that goes on', (at) => symlinkSync('/proc/self/pagemap', at), /larger than 1 MB/],
]

function sparse(at: string, size: number): void {
  writeFileSync(at, '')
  truncateSync(at, size)
}

function says(cwd: string): string {
  return loadConfig('shipbell.yaml', { env: {}, cwd })
    .problems.map(({ message }) => message)
    .join('\n')
}

describe.skipIf(process.platform !== 'linux')('what stands where a configuration names a file', () => {
  test.each(THINGS)('%s is an error at once, whatever names it', async (_, make, words) => {
    const cwd = scratchFolder()
    make(path.join(cwd, 'thing'))
    for (const yaml of Object.values(NAMING)) {
      writeFileSync(
        path.join(cwd, 'shipbell.yaml'),
        `accounts: {}\n${yaml}`.replace(/^accounts: \{\}\n(?=accounts)/, ''),
      )
      const { exitCode, stdout } = await runCommand(checkCommand, [], { cwd })
      expect([yaml, exitCode, stdout]).toEqual([yaml, 2, expect.stringMatching(words)])
    }
  })

  test.each(THINGS)('%s in place of `.env` or of the file itself is an error at once', async (_, make, words) => {
    const cwd = scratchFolder({ 'shipbell.yaml': 'accounts: {}\n' })
    make(path.join(cwd, 'thing'))
    const refused = { exitCode: 2, stderr: expect.stringMatching(words) }
    expect(await runCommand(checkCommand, ['-c', 'thing'], { cwd })).toMatchObject(refused)
    symlinkSync('thing', path.join(cwd, '.env'))
    expect(await runCommand(checkCommand, [], { cwd })).toMatchObject(refused)
  })

  test('a file of 1 MB is read', () => {
    const cwd = scratchFolder({ 'shipbell.yaml': 'accounts: {}\n# '.padEnd(1_000_000, 'x'), '.env': '# '.padEnd(1e6) })
    expect(says(cwd)).not.toContain('MB')
  })

  test('what takes the place of a file changes the digest, and is not waited for', () => {
    const cwd = scratchFolder({ 'shipbell.yaml': NAMING['a secret'], thing: 'k' })
    const { sources } = loadConfig('shipbell.yaml', { env: {}, cwd })
    const before = digestSources(sources)
    rmSync(path.join(cwd, 'thing'))
    execFileSync('mkfifo', [path.join(cwd, 'thing')])
    expect(digestSources(sources)).not.toBe(before)
  })
})

describe('a pattern of `include`', () => {
  const VAST = fileURLToPath(new URL('../../node_modules', import.meta.url))

  test.each(['**/*.yaml'])('that meets more than 10,000 entries is an error: %s', { tags: 'long' }, (each) => {
    const cwd = scratchFolder({ 'shipbell.yaml': `accounts: {}\ninclude: ["${VAST}/${each}"]\n` })
    const { config, problems, sources } = loadConfig('shipbell.yaml', { env: {}, cwd })
    expect(config).toBeNull()
    expect(problems).toMatchObject([
      { line: 2, severity: 'error', message: expect.stringContaining('meets more than 10,000 files and folders') },
    ])
    expect(digestSources(sources)).toBe(digestSources(sources))
  })

  test('meets 10,000 entries, of which it takes what matches, and one more is too many', () => {
    const cwd = scratchFolder({ 'shipbell.yaml': 'accounts: {}\ninclude: [conf.d/*.yaml]\n' })
    const folder = path.join(cwd, 'conf.d')
    mkdirSync(folder)
    for (let index = 1; index < 10_000; index += 1) symlinkSync('.', path.join(folder, String(index)))
    writeFileSync(path.join(folder, 'a.yaml'), 'accounts: {}\n')
    expect(says(cwd)).not.toContain('10,000')
    symlinkSync('.', path.join(folder, 'one-more'))
    expect(says(cwd)).toContain('`conf.d/*.yaml` meets more than 10,000 files and folders')
  })

  test.each([
    ['conf.d/*.yaml', ['conf.d/a.yaml', 'conf.d/b.yaml']],
    ['**/*.yaml', ['conf.d/a.yaml', 'conf.d/b.yaml', 'conf.d/deep/er/a.yaml', 'more/a.yaml']],
    ['conf.d/**', 'is a folder'],
    ['{conf.d/deep/*,more}/{a,b}*', ['conf.d/deep/er/a.yaml', 'more/a.yaml']],
    ['{conf.d/{a,b},more/a}.yaml', ['conf.d/a.yaml', 'conf.d/b.yaml', 'more/a.yaml']],
    ['*/*/*/?.yaml', ['conf.d/deep/er/a.yaml']],
    ['conf.d/**/**/a.yaml', ['conf.d/a.yaml', 'conf.d/deep/er/a.yaml']],
    ['conf.d/[!b].yaml', ['conf.d/a.yaml']],
    ['conf.d/.h*', ['conf.d/.hidden.yaml']],
    ['conf.d/@(a|x).yaml', ['conf.d/a.yaml']],
    ['up/a.yaml', ['up/a.yaml']],
    ['u*/a.yaml', []],
  ])('%s takes %j', (pattern, expected) => {
    const cwd = scratchFolder({ 'shipbell.yaml': `accounts: {}\ninclude: ["${pattern}"]\n` })
    for (const folder of ['conf.d/deep/er', 'more', '.git']) mkdirSync(path.join(cwd, folder), { recursive: true })
    symlinkSync('more', path.join(cwd, 'up'))
    symlinkSync('..', path.join(cwd, 'more', 'loop'))
    const files = [
      'conf.d/a.yaml',
      'conf.d/b.yaml',
      'conf.d/.hidden.yaml',
      'conf.d/deep/er/a.yaml',
      'more/a.yaml',
      '.git/a.yaml',
    ]
    for (const file of files) writeFileSync(path.join(cwd, file), 'accounts: {}\n')
    const { problems, sources } = loadConfig('shipbell.yaml', { env: {}, cwd })
    if (typeof expected === 'string') expect(problems.map(({ message }) => message).join()).toContain(expected)
    else {
      const read = sources.files.map((file) => path.relative(cwd, file)).filter((file) => file.endsWith('.yaml'))
      expect(read).toEqual(['shipbell.yaml', ...expected])
    }
  })
})
