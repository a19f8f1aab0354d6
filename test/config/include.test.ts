import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { loadWatched } from '../../src/config/load-part.ts'
import { loadNames } from '../../src/config/load-names.ts'
import { covers, digestSources } from '../../src/config/source-files.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { issueCertificate } from '../support/certificate.ts'
import { scratchFolder, SECRET } from './scratch.ts'

const ENV = { KEY: 'top-secret-key', SECRET }
const MAIN = 'include: [conf.d/*.yaml]\n'

function account(name: string): string {
  return `accounts:
  ${name}:
    base_url: https://${name}.example
    api_key: \${KEY}
    watch: { shipments: {} }
`
}

function subscription(name: string, more = ''): string {
  return `subscriptions:
  ${name}:
    url: https://${name}.example/hooks
    secret: \${SECRET}
    events: ["*", account.*]
${more}`
}

function load(main: string, parts: Readonly<Record<string, string | Uint8Array>>, given = 'shipbell.yaml') {
  const cwd = scratchFolder({ 'shipbell.yaml': main })
  mkdirSync(path.join(cwd, 'conf.d'))
  for (const [name, text] of Object.entries(parts)) writeFileSync(path.join(cwd, 'conf.d', name), text)
  return { cwd, ...again(cwd, given) }
}

function again(cwd: string, given = 'shipbell.yaml') {
  const loaded = loadConfig(given, { env: ENV, cwd, clock: new FakeClock() })
  const says = loaded.problems.map(({ file, line, column, severity, message }) => {
    const kind = severity === 'warning' ? 'warning: ' : ''
    return `${file}:${line}:${column}: ${kind}${message}`
  })
  return { ...loaded, says }
}

function names({ config }: ReturnType<typeof again>): readonly string[] {
  return [...(config?.accounts ?? []), ...(config?.subscriptions ?? [])].map(({ name }) => name)
}

describe('included files', () => {
  it('are read in order of name, after the main file', () => {
    const loaded = load(`${account('main')}${MAIN}`, {
      'b.yaml': account('second') + subscription('to-second'),
      'a.yaml': account('first'),
      'c.yml': 'not: ours',
      '.hidden.yaml': 'not: ours',
    })
    expect(loaded.says).toEqual([])
    expect(names(loaded)).toEqual(['main', 'first', 'second', 'to-second'])
  })

  it('may hold every account and subscription', () => {
    const loaded = load(MAIN, { 'a.yaml': account('a'), 'b.yaml': subscription('b', '    accounts: [a]\n') })
    expect([loaded.says, names(loaded)]).toEqual([[], ['a', 'b']])
  })

  it('keep their places in errors, named beside the main file as that is given', () => {
    const parts = {
      'a.yaml': `${account('a')}    watchh: {}\n`,
      'b.yaml': subscription('b', '    accounts: [nobody]\n'),
    }
    expect(load(MAIN, parts, './shipbell.yaml').says).toEqual([
      expect.stringContaining('conf.d/a.yaml:6:5: unknown key `watchh`'),
      'conf.d/b.yaml:6:16: no account is named `nobody`: the accounts here are a',
    ])
    const cwd = scratchFolder({ 'shipbell.yaml': MAIN })
    mkdirSync(path.join(cwd, 'conf.d'))
    writeFileSync(path.join(cwd, 'conf.d/a.yaml'), 'accounts: [\n')
    const file = path.join(cwd, 'shipbell.yaml')
    expect(loadConfig(file, { env: ENV, cwd: '/' }).problems[0]?.file).toBe(path.join(cwd, 'conf.d/a.yaml'))
  })

  it('cannot name what another has: both places are named', () => {
    const parts = { 'a.yaml': account('acme') + subscription('erp'), 'b.yaml': account('acme') + subscription('erp') }
    expect(load(MAIN, parts).says).toEqual([
      'conf.d/b.yaml:2:3: the account `acme` stands here and at conf.d/a.yaml:2:3: keep one, or rename one',
      'conf.d/b.yaml:7:3: the subscription `erp` stands here and at conf.d/a.yaml:7:3: keep one, or rename one',
    ])
    expect(load(`${account('acme')}${MAIN}`, { 'a.yaml': account('acme') }).says[0]).toContain('shipbell.yaml:2:3')
  })

  it.each([
    ['include: [x.yaml]\n', '1:1: an included file cannot include others: name them in the main file'],
    ['http: false\n', '1:1: `http` cannot stand in an included file, which has `accounts` and `subscriptions` alone'],
    ['acounts: {}\n', '1:1: unknown key `acounts`: did you mean `accounts`?'],
    ['- a\n', '1:1: an included file must be a mapping with `accounts`, `subscriptions` or both'],
    ['accounts:\n', '1:1: `accounts` must be a mapping from names to settings'],
    ['# nothing\n', '1:1: the file is empty: remove it, or write `accounts: {}` into it'],
    ['', '1:1: the file is empty: remove it, or write `accounts: {}` into it'],
    ['accounts: [\n', '2:1: the indentation is wrong here, or a bracket before it is not closed'],
    [Uint8Array.of(0xff, 0xfe), '1:1: this file is not UTF-8 text: save it as UTF-8'],
  ])('of %j are refused at their place', (text, expected) => {
    const { config, says } = load(`${account('acme')}${MAIN}`, { 'a.yaml': text })
    expect(config).toBeNull()
    expect(says).toEqual([expect.stringContaining(`conf.d/a.yaml:${expected}`)])
  })

  it('that are folders, dead links or missing are refused', () => {
    const { cwd } = load(`${account('acme')}include: [conf.d/*.yaml, gone.yaml, conf.d]\n`, {})
    mkdirSync(path.join(cwd, 'conf.d/dir.yaml'))
    symlinkSync('nowhere', path.join(cwd, 'conf.d/dead.yaml'))
    symlinkSync('loop.yaml', path.join(cwd, 'conf.d/loop.yaml'))
    expect(again(cwd).says.filter((line) => !line.includes('warning'))).toEqual([
      'shipbell.yaml:6:11: `conf.d/dir.yaml` is a folder: name the files in it, such as `conf.d/dir.yaml/*.yaml`',
      'shipbell.yaml:6:26: there is no file `gone.yaml` to include: mend the path, relative to the configuration',
      'shipbell.yaml:6:37: `conf.d` is a folder: name the files in it, such as `conf.d/*.yaml`',
      'conf.d/dead.yaml:1:1: this link points to no file: mend it, or remove it',
      'conf.d/loop.yaml:1:1: this file cannot be read (ELOOP): make it readable, or remove it',
    ])
  })

  it('that are no plain files are refused, and never waited for', () => {
    const cwd = scratchFolder({ 'shipbell.yaml': `${account('acme')}include: [pipe]\n` })
    symlinkSync('/dev/zero', path.join(cwd, 'pipe'))
    const { says, sources } = again(cwd)
    expect(says).toEqual([
      'shipbell.yaml:6:11: `pipe` is no plain file but a pipe, a socket or a device: remove it, or narrow the pattern',
    ])
    expect(digestSources(sources)).toBe(digestSources(sources))
  })

  it('are shown without what a terminal would obey', () => {
    const { says } = load(MAIN, { '\u001b[31m\n.yaml': 'accounts: 1\n' })
    expect(says[0]).toBe('conf.d/\\u{1b}[31m\\u{a}.yaml:1:11: `accounts` must be a mapping from names to settings')
  })

  it('may have long lines', { tags: 'long' }, () => {
    const references = Array.from({ length: 8_000 }, (_, index) => `OP-${index}`).join(', ')
    const long = account('big').replace('shipments: {}', `order_preparations: { references: [${references}] }`)
    const { config, says } = load(MAIN, { 'a.yaml': `${long}    nope: 1\n`, 'b.yaml': long.replace('big', 'other') })
    expect([config, says]).toEqual([null, [expect.stringContaining('conf.d/a.yaml:6:5: unknown key `nope`')]])
  })

  it('may be links, as a mounted ConfigMap has them; each file counts once, and the main file does not count', () => {
    const { cwd } = load(`include: ['conf.d/*.yaml', 'conf.d/a.yaml', '*.yaml']\n`, { '..a': account('a') })
    symlinkSync('..a', path.join(cwd, 'conf.d/a.yaml'))
    const loaded = again(cwd)
    expect(names(loaded)).toEqual(['a'])
    expect(loaded.says.join()).not.toContain('stands here')
  })

  it('of a pattern that nothing matches are a warning', () => {
    const { config, says } = load(`${account('acme')}${MAIN}`, {})
    expect(config).not.toBeNull()
    expect(says).toContain('shipbell.yaml:6:11: warning: `conf.d/*.yaml` matches no file: nothing is included by it')
  })

  it('have variables of the environment, of `.env` beside them, then of that beside the main file', () => {
    const { cwd } = load(MAIN, {
      '.env': 'B=beside\nKEY=never\n',
      'a.yaml': ['A', 'B', 'KEY', 'file:key.txt']
        .map((name, at) => account(`a${at}`).replace('KEY', name))
        .join('')
        .replaceAll(/\naccounts:/g, ''),
      'key.txt': 'of-a-file\n',
    })
    writeFileSync(path.join(cwd, '.env'), 'A=main\nB=main\n')
    expect(again(cwd).config?.accounts.map(({ apiKey }) => apiKey)).toEqual([
      'main',
      'beside',
      'top-secret-key',
      'of-a-file',
    ])
  })

  it('name PEM files and templates relative to themselves', () => {
    const { cert } = issueCertificate({ name: 'customer' })
    const tls = '    tls: { ca: ca.pem }\n'
    const slack = '  ops:\n    slack: { url: https://s.example/x }\n    events: ["*"]\n    template: ops.liquid\n'
    const loaded = load(`${account('acme')}${MAIN}`, {
      'a.yaml': subscription('erp', tls + slack),
      'ca.pem': cert,
      'ops.liquid': '{{ it }}',
    })
    expect(loaded.says).toEqual([])
    expect(loaded.config?.subscriptions.map(({ channel }) => channel.kind)).toEqual(['webhook', 'slack'])
    const missing = load(`${account('acme')}${MAIN}`, { 'a.yaml': subscription('erp', tls) })
    expect(missing.says).toEqual([
      expect.stringMatching(/^conf\.d\/a\.yaml:6:16: `ca` cannot be had: the file ca\.pem/),
    ])
  })

  it('that everybody may read although a secret is in them are a warning in each', () => {
    const { cwd } = load(MAIN, { 'a.yaml': account('a').replace('${KEY}', 'literal-key'), 'b.yaml': account('b') })
    chmodSync(cwd, 0o755)
    chmodSync(path.join(cwd, 'conf.d'), 0o755)
    for (const name of ['a', 'b']) chmodSync(path.join(cwd, `conf.d/${name}.yaml`), 0o644)
    const exposed = again(cwd).says.filter((line) => line.includes('everybody'))
    expect(exposed).toEqual([
      'conf.d/a.yaml:1:1: warning: everybody on this machine may read `a.yaml`, which holds secrets: chmod 600 conf.d/a.yaml',
    ])
  })

  it('tell what they watch and their names without a secret', () => {
    const { cwd } = load(`${MAIN}defaults: { account: { watch: { invoices: {} } } }\n`, {
      'a.yaml': 'accounts: { a: { api_key: "${UNSET}" }, b: { watch: {} } }\nsubscriptions: { erp: {} }\n',
    })
    const options = { env: {}, cwd }
    expect(loadNames('accounts', 'shipbell.yaml', options)).toEqual(['a', 'b'])
    expect(loadNames('subscriptions', 'shipbell.yaml', options)).toEqual(['erp'])
    const watched = loadWatched('shipbell.yaml', options)?.map(({ name, watch }) => [name, Object.keys(watch)])
    expect(watched).toEqual([
      ['a', ['invoices']],
      ['b', []],
    ])
  })

  it('are followed by a reload: one that changes, comes or goes', () => {
    const { cwd, sources } = load(MAIN, { 'a.yaml': account('a') })
    const first = digestSources(sources)
    expect(digestSources(sources)).toBe(first)
    const added = path.join(cwd, 'conf.d/b.yaml')
    writeFileSync(added, account('b'))
    expect(digestSources(sources)).not.toBe(first)
    rmSync(added)
    expect(digestSources(sources)).toBe(first)
    writeFileSync(path.join(cwd, 'conf.d/a.yaml'), account('c'))
    expect(digestSources(sources)).not.toBe(first)
  })

  it('that are new are waited for until they are written', () => {
    const { cwd, sources } = load(MAIN, { 'a.yaml': account('a') })
    const added = path.join(cwd, 'conf.d/b.yaml')
    writeFileSync(added, 'accounts:')
    const begun = digestSources(sources)
    writeFileSync(added, account('b'))
    expect(digestSources(sources)).not.toBe(begun)
    expect(covers(sources, again(cwd).sources)).toBe(true)
    writeFileSync(added, subscription('b', '    tls: { ca: ca.pem }\n'))
    expect(covers(sources, again(cwd).sources)).toBe(false)
  })
})
