import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { interpolate } from '../../src/config/variables.ts'
import { scratchFolder, shown } from './scratch.ts'

const VARIABLES = {
  variable: (name: string) => ({ A: 'alpha', EMPTY: '', TRICKY: '$$ ${A} $&' })[name],
  file: (path: string) => (path === 'key.txt' ? { text: 'from file' } : { reason: `no ${path}` }),
}

describe('text with variables', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['${A}', 'alpha'],
    ['a ${A}-${A} z', 'a alpha-alpha z'],
    ['$${A}', '${A}'],
    ['$$$$', '$$'],
    ['costs $5', 'costs $5'],
    ['$A', '$A'],
    ['${NOPE:-fallback}', 'fallback'],
    ['${NOPE:-}', ''],
    ['${EMPTY:-fallback}', 'fallback'],
    ['${EMPTY}', ''],
    ['${A:-fallback}', 'alpha'],
    ['${NOPE:-a:-b}', 'a:-b'],
    ['${NOPE:-$$5}', '$5'],
    ['${file:key.txt}', 'from file'],
    ['${TRICKY}', '$$ ${A} $&'],
  ])('%j becomes %j', (text, expected) => {
    expect(interpolate(text, VARIABLES)).toMatchObject({ kind: 'text', text: expected })
  })

  it.each([
    ['${NOPE}', ['the variable NOPE is not set: set it in the environment or in .env beside the file']],
    ['${A} ${NOPE} ${NADA}', [expect.stringContaining('NOPE'), expect.stringContaining('NADA')]],
    ['${}', ['`${…}` must hold VAR, VAR:-default or file:PATH; write `$$` for a dollar']],
    ['${1A}', [expect.stringContaining('must hold VAR')]],
    ['${a-b}', [expect.stringContaining('must hold VAR')]],
    ['${NOPE:-${A}}', ['the default of ${NOPE} cannot hold another `${…}`']],
    ['${A', ['`${` has no closing `}`']],
    ['${file:nope.txt}', ['no nope.txt']],
    ['${file:}', ['`${file:}` names no file: write `${file:PATH}`']],
  ])('%j is refused', (text, reasons) => {
    expect(interpolate(text, VARIABLES)).toEqual({ kind: 'failed', reasons })
  })

  it('tells what it drew from variables', () => {
    expect(interpolate('a $$ b', VARIABLES)).toMatchObject({ drawn: [] })
    expect(interpolate('${A}', VARIABLES)).toMatchObject({ drawn: [VARIABLES.variable('A')] })
  })
})

describe('variables of a file', () => {
  const YAML = 'accounts:\n  acme: { base_url: "https://p.example", api_key: "${KEY}" }\n'

  function key(files: Readonly<Record<string, string | Uint8Array>>, env: Readonly<Record<string, string>> = {}) {
    const cwd = scratchFolder({ 'shipbell.yaml': YAML, ...files })
    const { config, problems } = loadConfig('shipbell.yaml', { env, cwd })
    return config?.accounts[0]?.apiKey ?? problems.map(shown)
  }

  it('come from .env beside it', () => {
    expect(key({ '.env': '# comment\nKEY="from dotenv"\n'.replace(' dotenv', '-dotenv') })).toBe('from-dotenv')
  })

  it('come from the environment first', () => {
    expect(key({ '.env': 'KEY=from-dotenv' }, { KEY: 'from-env' })).toBe('from-env')
  })

  it('are not replaced in keys', () => {
    expect(key({ 'shipbell.yaml': `${YAML}\${KEY}: 1\n` }, { KEY: 'log' })).toEqual([
      expect.stringContaining('3:1 unknown key `${KEY}`'),
    ])
  })

  it('are never replaced twice', () => {
    expect(key({}, { KEY: '${OTHER}$$' })).toBe('${OTHER}$$')
  })

  it('are not inherited names', () => {
    expect(key({ 'shipbell.yaml': YAML.replace('KEY', 'constructor'), '.env': 'A=1' })).toEqual([
      expect.stringContaining('2:51 the variable constructor is not set'),
    ])
  })

  it.each([
    ['key', 'key'],
    ['key\n', 'key'],
    ['key\r\n', 'key'],
  ])('come from a file relative to it, without its trailing newline: %j', (content, expected) => {
    expect(key({ 'shipbell.yaml': YAML.replace('${KEY}', '${file:./key.txt}'), 'key.txt': content })).toBe(expected)
  })

  it('name a file that is missing', () => {
    expect(key({ 'shipbell.yaml': YAML.replace('${KEY}', '${file:key.txt}') })).toEqual([
      '2:51 the file key.txt cannot be read (ENOENT): mend the path, relative to the configuration',
    ])
  })
})
