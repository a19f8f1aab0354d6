import { describe, expect, test } from 'vitest'
import { isLiteralHost, namesHost } from '../../src/config/host-patterns.ts'
import { readRuntime } from '../../src/config/runtime-keys.ts'
import type { RuntimeBounds } from '../../src/config/runtime-schema.ts'
import { loadConfig, requireConfig } from '../../src/config/load-config.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const FILE = `accounts:
  acme: { base_url: 'https://platform.example', api_key: k, watch: { shipments: {} } }
  other: { base_url: 'https://platform.example', api_key: k, watch: { shipments: {} } }
subscriptions:
  erp: { url: 'https://erp.example/', secret: ${SECRET}, events: ['*', 'account.*'] }
`
const ANY: RuntimeBounds = { events: ['*'], accounts: null, hosts: null, networks: [] }
const KEYS = { url: 'https://hooks.example/in', events: ['shipment.*'] }

function read(keys: JsonObject, bounds: Partial<RuntimeBounds> = {}, ownAccounts: readonly string[] | null = null) {
  const config = requireConfig('a.yaml', { cwd: scratchFolder({ 'a.yaml': FILE }), env: {} })
  return readRuntime({ name: 'cust', keys, secrets: [SECRET], ownAccounts }, config, { ...ANY, ...bounds })
}

test('one that is made at run time is what a file makes of the same keys', () => {
  const keys = {
    ...KEYS,
    accounts: ['acme'],
    where: 'type != "x"',
    min_shift: '12h',
    order: 'subject',
    headers: { a: 'b' },
  }
  const more = { payload: 'thin', start: 'snapshot', watermark: '1m', rate: { requests: 5, per: '1s' } }
  const text = `${FILE}  cust: ${JSON.stringify({ ...keys, ...more, secret: SECRET })}\n`
  const filed = requireConfig('b.yaml', { cwd: scratchFolder({ 'b.yaml': text }), env: {} })
  const { subscription } = read({ ...keys, ...more })
  const same = filed.subscriptions.find(({ name }) => name === 'cust')
  expect(JSON.parse(JSON.stringify({ ...subscription, channel: { ...subscription?.channel, hidden: [] } }))).toEqual(
    JSON.parse(JSON.stringify({ ...same, channel: { ...same?.channel, hidden: [], untrusted: { networks: [] } } })),
  )
})

const OPEN = { networks: ['127.0.0.0/8'] }
const WRONG: readonly [string, JsonObject, Partial<RuntimeBounds>, string, RegExp][] = [
  ['a key of no feature', { ...KEYS, nope: 1 }, {}, 'nope', /^unknown key `nope`: the keys here are name, url, events/],
  ['a key of the file alone', { ...KEYS, secret: SECRET }, {}, 'secret', /^unknown key `secret`/],
  ['a body of its own', { ...KEYS, body: { file: 'a.liquid' } }, {}, 'body', /^unknown key `body`/],
  ['another channel', { slack: { url: 'https://a.example/' }, events: ['*'] }, {}, 'slack', /^unknown key `slack`/],
  ['a type that is none', { ...KEYS, events: ['shipment.*', 'shipmnt.x'] }, {}, 'events.1', /did you mean/],
  ['no type', { ...KEYS, events: [] }, {}, 'events', /must not be empty/],
  ['an account that is none', { ...KEYS, accounts: ['acme', 'nope'] }, {}, 'accounts.1', /no account is named `nope`/],
  ['a where that is none', { ...KEYS, where: 'a ==' }, {}, 'where', /cannot be used/],
  [
    'a header of ours',
    { ...KEYS, headers: { 'webhook-id': 'x' } },
    {},
    'headers.webhook-id',
    /cannot have `webhook-id`/,
  ],
  ['a wrong kind of value', { ...KEYS, rate: { requests: '5x', per: 1 } }, {}, 'rate.requests', /whole number/],
  ['service events', { ...KEYS, events: ['account.*'] }, {}, 'events.0', /more than may be asked for/],
  ['events of endpoints', { ...KEYS, events: ['endpoint.*'] }, {}, 'events.0', /more than may be asked for/],
  ['more events than are allowed', { ...KEYS, events: ['*'] }, { events: ['shipment.*'] }, 'events.0', /shipment\.\*/],
  [
    'an account that is not allowed',
    { ...KEYS, accounts: ['other'] },
    { accounts: ['acme'] },
    'accounts.0',
    /the accounts here are acme/,
  ],
  ['plain http', { ...KEYS, url: 'http://hooks.example/' }, {}, 'url', /must start with https/],
  ['http to a public address', { ...KEYS, url: 'http://8.8.8.8/' }, OPEN, 'url', /must start with https/],
  ['a private address', { ...KEYS, url: 'https://10.1.2.3/' }, OPEN, 'url', /may not be dialled/],
  [
    'the metadata of a cloud',
    { ...KEYS, url: 'http://169.254.169.254/' },
    { networks: ['0.0.0.0/0'] },
    'url',
    /may not be dialled/,
  ],
  ['localhost', { ...KEYS, url: 'https://localhost/' }, {}, 'url', /may not be dialled/],
  ['IPv4 in IPv6', { ...KEYS, url: 'https://[::ffff:127.0.0.1]/' }, {}, 'url', /may not be dialled/],
  ['an address in odd digits', { ...KEYS, url: 'https://0x7f.1/' }, {}, 'url', /may not be dialled/],
  ['a login in the URL', { ...KEYS, url: 'https://u:p@hooks.example/' }, {}, 'url', /user name or password/],
  [
    'another host',
    { ...KEYS, url: 'https://hooks.example.org/' },
    { hosts: ['*.example'] },
    'url',
    /names the host hooks\.example\.org/,
  ],
  [
    'the domain of a pattern',
    { ...KEYS, url: 'https://hooks.example/' },
    { hosts: ['*.hooks.example'] },
    'url',
    /names the host/,
  ],
]

test.each(WRONG)('%s is refused at its place', (_, ...[keys, bounds, at, says]) => {
  const { problems, subscription } = read(keys, bounds)
  expect(subscription).toBeNull()
  expect(problems.map((each) => each.at)).toContain(at)
  expect(problems.find((each) => each.at === at)?.says).toMatch(says)
})

test.each([
  ['http in an opened network', { ...KEYS, url: 'http://127.0.0.1:9/x' }, OPEN],
  ['a port', { ...KEYS, url: 'https://a.hooks.example:8443/' }, { hosts: ['*.hooks.example'] }],
  ['capitals and a dot at the end', { ...KEYS, url: 'https://A.Hooks.Example./' }, { hosts: ['*.hooks.example'] }],
  ['service events that are allowed', { ...KEYS, events: ['account.paused'] }, { events: ['account.*'] }],
] as const)('%s is taken', (_, keys, bounds) =>
  expect(read({ ...keys, events: [...keys.events] }, bounds).problems).toEqual([]),
)

describe('an owner of some accounts', () => {
  test('lives within them as they are', () => {
    expect(read(KEYS, {}, ['acme']).subscription?.accounts).toEqual(['acme'])
    expect(read(KEYS, { accounts: ['other'] }, ['acme']).subscription?.accounts).toEqual([])
  })

  test('is told of no other, and hears nothing of no account', () => {
    const { problems } = read({ ...KEYS, accounts: ['other'] }, {}, ['acme'])
    expect(problems).toEqual([{ at: 'accounts.0', says: 'no account is named `other`: the accounts here are acme' }])
    expect(read({ ...KEYS, events: ['endpoint.*'] }, { events: ['endpoint.*'] }, ['acme']).problems).toHaveLength(1)
  })
})

test.each([
  [`{ key: ${KEY} }`, null],
  ['{}', null],
  ['{ max: 5 }', '6:1 `key` is missing in `runtime_subscriptions`'],
  ['{ key: c2hvcnQ= }', '6:31 `key` must be 32 bytes in base64, such as `openssl rand -base64 32` prints'],
  [`{ key: ${KEY}, allow: { hosts: [https://a.example] } }`, /`hosts` must list host names/],
  [`{ key: ${KEY}, allow: { networks: [nope] } }`, /`networks` must list networks/],
])('runtime_subscriptions: %s', (section, problem) => {
  const cwd = scratchFolder({ 'a.yaml': `${FILE}runtime_subscriptions: ${section}\n` })
  const { problems } = loadConfig('a.yaml', { cwd, env: {} })
  const [first = null] = problems.filter(({ severity }) => severity === 'error').map(shown)
  if (problem === null) expect(first).toBeNull()
  else expect(first).toMatch(problem)
})

test('patterns of hosts', () => {
  expect(['a.example', '*.example.com', '127.0.0.1', '[::1]'].every(isLiteralHost)).toBe(true)
  expect(['https://a.example', 'a/b', '*', 'a.*', '', 'a:8443', '*.'].some(isLiteralHost)).toBe(false)
  expect(namesHost(['*.Example.com'], 'evilexample.com')).toBe(false)
  expect(namesHost(['*.example.com'], 'a.b.example.com')).toBe(true)
})
