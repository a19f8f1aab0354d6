import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

function problems(yaml: string, env: Readonly<Record<string, string>> = {}): readonly string[] {
  const cwd = scratchFolder({ 'shipbell.yaml': yaml })
  return loadConfig('shipbell.yaml', { env, cwd }).problems.map(shown)
}

describe('a hostile file', () => {
  it('whose aliases multiply is reported, not expanded', () => {
    const levels = Array.from({ length: 12 }, (_, index) => {
      const of = index === 0 ? 'x' : `*a${index - 1}`
      return `k${index}: &a${index} [${Array.from({ length: 9 }, () => of).join(', ')}]`
    })
    expect(problems(levels.join('\n'))).toContainEqual(expect.stringContaining('more than 20000 values'))
  })

  it('that contains itself is reported', () => {
    expect(problems('accounts: &a { b: *a }\n')).toContainEqual(
      expect.stringContaining('more than 20000 values or 64 levels'),
    )
    expect(problems('accounts: &a { <<: *a }\n')).toContainEqual(
      expect.stringContaining('more than 20000 values or 64 levels'),
    )
  })

  it('that nests 10,000 deep is reported', { tags: 'long' }, () => {
    expect(problems(`accounts: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`).length).toBeGreaterThan(0)
    expect(problems(`accounts: ${'{a: '.repeat(10_000)}${'}'.repeat(10_000)}\n`).length).toBeGreaterThan(0)
  })

  it('with a key of a megabyte gets a short message', () => {
    const [message = ''] = problems(`"${'k'.repeat(1_000)}": 1\naccounts: {}\n`)
    expect(message.length).toBeLessThan(300)
  })

  it('never throws anything but its problems', { tags: 'long' }, () => {
    const token = constantFrom(
      'accounts',
      ':',
      ' ',
      '\n',
      '  ',
      '- ',
      '&a',
      '*a',
      '<<',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '${',
      '}',
      '!',
      '|',
      '>',
      '\t',
      'url',
      '#',
      '%',
      '?',
      '0x1',
      '~',
    )
    assert(
      property(array(token, { maxLength: 40 }), (tokens) => {
        for (const { line, column } of loadText(tokens.join(''))) {
          expect(line).toBeGreaterThanOrEqual(1)
          expect(column).toBeGreaterThanOrEqual(1)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a value from a variable', () => {
  const ACCOUNT = { base_url: 'https://p.example', api_key: 'k' }
  const SUBSCRIPTION = { url: 'https://e.example', secret: SECRET, events: ['*'] }
  const VALUES = ['${S}', ['${S}'], { 'a b': '${S}', c: 1 }]

  const inAccount = [
    'base_url',
    'api_key',
    'time_zone',
    'timeout',
    'first_poll',
    'shipment_id_field',
    'budget',
    'watch',
  ].flatMap((key) => VALUES.map((value) => ({ accounts: { acme: { ...ACCOUNT, [key]: value } } })))
  const inSubscription = [
    'url',
    'secret',
    'events',
    'accounts',
    'timeout',
    'concurrency',
    'headers',
    'enabled',
  ].flatMap((key) =>
    VALUES.map((value) => ({ accounts: { acme: ACCOUNT }, subscriptions: { erp: { ...SUBSCRIPTION, [key]: value } } })),
  )
  const elsewhere = VALUES.flatMap((value) => [
    { accounts: value },
    { accounts: {}, delivery: { retry: value, allow_networks: value } },
    { accounts: {}, http: { listen: value, token: value } },
    { accounts: {}, http: value, log: { level: value }, storage: value },
  ])

  it('never stands in a message', () => {
    const secret = 'hunter2 https://u:hunter2@x#hunter2'
    // JSON is YAML.
    const files = [...inAccount, ...inSubscription, ...elsewhere].map((document) => JSON.stringify(document))
    const messages = files.map((file) => problems(file, { S: secret }))
    expect(messages.filter((each) => each.length === 0).length).toBeLessThan(3)
    expect(messages.flat().join('\n')).not.toContain('hunter2')
  })
})

function loadText(yaml: string) {
  const cwd = scratchFolder({ 'shipbell.yaml': yaml })
  return loadConfig('shipbell.yaml', { env: {}, cwd }).problems
}
