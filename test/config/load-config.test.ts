import { describe, expect, it } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { requireStorage } from '../../src/config/load-part.ts'
import { ShipbellError } from '../../src/errors.ts'
import { payload } from '../route/samples.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

const DATABASE =
  'must be the address of a PostgreSQL database such as postgres://user:password@db.example:5432/shipbell, the password percent-encoded (`#` is %23)'
const TLS_OF_DATABASE =
  "must ask for TLS by `sslmode`, which is disable, require, verify-ca, verify-full: with all but the first the server's certificate is verified"
const ENV = { KEY: 'top-secret-key', SECRET, EMPTY: '' }

function load(yaml: string | Uint8Array, files: Readonly<Record<string, string>> = {}) {
  const cwd = scratchFolder({ ...files, 'shipbell.yaml': yaml })
  return { cwd, ...loadConfig('shipbell.yaml', { env: ENV, cwd }) }
}

function problems(yaml: string): readonly string[] {
  return load(yaml).problems.map(shown)
}

function valid(yaml: string, files?: Readonly<Record<string, string>>): Config {
  const { config, problems: found } = load(yaml, files)
  expect(found.filter(({ severity }) => severity === 'error').map(shown)).toEqual([])
  if (config === null) throw new Error('no configuration and no error')
  return config
}

const ACCOUNT = `accounts:
  acme:
    base_url: https://platform.example
    api_key: \${KEY}
    watch: { shipments: {} }
`
const LISTENER = `subscriptions:
  ops:
    url: https://ops.example/hooks
    secret: \${SECRET}
    events: ["*", account.*]
`

/** A configuration with one more line in its account, which is then line 6. */
const inAccount = (line: string): string => `${ACCOUNT}    ${line}\n${LISTENER}`
/** A configuration with one more line in its subscription, which is then line 11. */
const inSubscription = (line: string): string => `${ACCOUNT}${LISTENER}    ${line}\n`
/** A configuration with one more line at its end: line 11. */
const atEnd = (line: string): string => `${ACCOUNT}${LISTENER}${line}\n`

describe('a valid configuration', () => {
  it('has every default of the configuration reference', () => {
    const { config, cwd } = load(ACCOUNT + LISTENER)
    expect(config).toEqual({
      file: 'shipbell.yaml',
      accounts: [
        {
          name: 'acme',
          baseUrl: 'https://platform.example',
          apiKey: 'top-secret-key',
          timeZone: 'UTC',
          budget: { requests: 60, perMs: 60_000, concurrency: 4, share: 1 },
          timeoutMs: 30_000,
          audit: true,
          settleMs: 0,
          firstPoll: 'baseline',
          shipmentIdField: null,
          tls: null,
          proxy: null,
          watch: { shipments: { everyMs: 120_000, weight: 1, ignore: [], notice: [], milestoneGraceMs: 86_400_000 } },
        },
      ],
      subscriptions: [
        {
          name: 'ops',
          events: ['*', 'account.*'],
          accounts: null,
          enabled: true,
          order: 'none',
          rate: null,
          alert: false,
          filter: null,
          minShiftMs: null,
          remind: null,
          channel: {
            kind: 'webhook',
            url: 'https://ops.example/hooks',
            secrets: [SECRET],
            headers: {},
            hidden: [SECRET, SECRET.slice('whsec_'.length)],
            payload: 'full',
            limitBytes: 256_000,
            format: 'standard',
            source: '/accounts',
            publicUrl: null,
            tls: null,
            proxy: null,
            timeoutMs: 15_000,
            concurrency: 4,
          },
        },
      ],
      delivery: {
        allowNetworks: [],
        retryMs: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400, 86_400].map(
          (s) => s * 1000,
        ),
      },
      retention: { payloadsMs: 2_592_000_000, ledgerMs: 31_536_000_000 },
      storage: { kind: 'file', path: `${cwd}/shipbell.db` },
      http: { host: '127.0.0.1', port: 8484, token: null, viewerToken: null, tokens: [], publicUrl: null },
      ping: null,
      runtimeSubscriptions: null,
      log: { level: 'info' },
    })
  })

  it('says nothing', () => {
    expect(problems(ACCOUNT + LISTENER)).toEqual([])
  })

  it('watches with the default of each resource, and only what is named', () => {
    const { accounts } = valid(
      ACCOUNT.replace('shipments: {}', 'shipments: {}, tracking: {}, invoices: {every: 1h30m}'),
    )
    expect(accounts[0]?.watch).toEqual({
      shipments: { everyMs: 120_000, weight: 1, ignore: [], notice: [], milestoneGraceMs: 86_400_000 },
      tracking: { everyMs: 900_000, weight: 1, ignore: [], notice: [], positions: false },
      invoices: { everyMs: 5_400_000, weight: 1, ignore: [], notice: [], dueSoonMs: [604_800_000, 86_400_000] },
    })
  })

  it('watches what else the platform has', () => {
    const watch = `watch:
      shipments: {}
      tracking: { positions: true, ignore: ["/status", /tracking_steps/*/events/*/etag] }
      documents: {}
      invoices: { notice: [/usd_to_eur_rate] }
      purchase_orders: { ignore: [/custom_parameters/*], notice: [] }
      locations: { every: 1d, weight: "0.25" }
      order_preparations: { references: [OP-1, OP-2, OP-1] }`
    const { accounts } = valid(ACCOUNT.replace('watch: { shipments: {} }', watch))
    expect(accounts[0]?.watch).toMatchObject({
      tracking: { positions: true, ignore: ['/status', '/tracking_steps/*/events/*/etag'] },
      invoices: { notice: ['/usd_to_eur_rate'] },
      documents: { everyMs: 1_800_000, ignore: [], notice: [] },
      purchase_orders: { everyMs: 1_800_000, ignore: ['/custom_parameters/*'] },
      locations: { everyMs: 86_400_000, ignore: [] },
      order_preparations: { everyMs: 1_800_000, ignore: [], references: ['OP-1', 'OP-2'] },
    })
  })

  it('compiles `where` and reads `min_shift`', () => {
    const [erp] = valid(inSubscription('where: data.days_left < 3\n    min_shift: 12h')).subscriptions
    expect(erp?.filter?.expression).toBe('data.days_left < 3')
    expect(erp?.filter?.judge(payload({ days_left: 2 }))).toEqual({ kind: 'match' })
    expect(erp?.minShiftMs).toBe(43_200_000)
  })

  it('takes a `where` of several lines', () => {
    const lines = 'where: >-\n      data.shipment.freight_mode == "ocean"\n      && data.days_left < 3'
    expect(valid(inSubscription(lines)).subscriptions[0]?.filter?.expression).toBe(
      'data.shipment.freight_mode == "ocean" && data.days_left < 3',
    )
    expect(problems(inSubscription(lines.replace('data.days', 'dta.days')))).toEqual([
      expect.stringMatching(/^11:12 `where` cannot be used: Unknown variable: dta/),
    ])
  })

  it('cannot be changed, however deep', () => {
    const config = valid(ACCOUNT + LISTENER)
    expect(() => Object.assign(config.accounts[0]?.watch.shipments ?? {}, { everyMs: 1 })).toThrow(TypeError)
    expect(
      Object.isFrozen(Object.getOwnPropertyDescriptor(config.subscriptions[0]?.channel ?? {}, 'headers')?.value),
    ).toBe(true)
    expect(Object.isFrozen(config.delivery.retryMs)).toBe(true)
  })

  it.each([
    ['http: false', null],
    [
      'http: { listen: "127.0.0.1:0" }',
      { host: '127.0.0.1', port: 0, token: null, viewerToken: null, tokens: [], publicUrl: null },
    ],
    [
      'http: { listen: "[::1]:80" }',
      { host: '::1', port: 80, token: null, viewerToken: null, tokens: [], publicUrl: null },
    ],
    [
      'http: { listen: "0.0.0.0:80", token: abc }',
      { host: '0.0.0.0', port: 80, token: 'abc', viewerToken: null, tokens: [], publicUrl: null },
    ],
    [
      'http: { token: "${EMPTY:-}" }',
      { host: '127.0.0.1', port: 8484, token: null, viewerToken: null, tokens: [], publicUrl: null },
    ],
  ])('reads %s', (line, expected) => {
    expect(valid(atEnd(line)).http).toEqual(expected)
  })

  it('takes the admin token from SHIPBELL_TOKEN by default', () => {
    expect(valid(ACCOUNT + LISTENER, { '.env': 'SHIPBELL_TOKEN=from-dotenv' }).http?.token).toBe('from-dotenv')
  })

  it('drops the slash at the end of a platform address and keeps its path', () => {
    const { accounts } = valid(ACCOUNT.replace('platform.example', 'platform.example/api/'))
    expect(accounts[0]?.baseUrl).toBe('https://platform.example/api')
  })

  it('signs with every secret of a list', () => {
    const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
    const { subscriptions } = valid((ACCOUNT + LISTENER).replace('${SECRET}', `["\${SECRET}", ${other}]`))
    expect(subscriptions[0]?.channel).toMatchObject({ secrets: [SECRET, other] })
  })

  it('signs with key pairs too', () => {
    const pair = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=='
    const { subscriptions } = valid((ACCOUNT + LISTENER).replace('${SECRET}', `["\${SECRET}", ${pair}]`))
    expect(subscriptions[0]?.channel).toMatchObject({ secrets: [SECRET, pair] })
  })

  it('takes numbers and switches from variables, which are text', () => {
    const [subscription] = valid(inSubscription('concurrency: ${N:-7}\n    enabled: ${ON:-false}')).subscriptions
    expect(subscription?.channel.concurrency).toBe(7)
    expect(subscription?.enabled).toBe(false)
  })

  it('resolves aliases and merge keys; own keys win', () => {
    const { accounts } = valid(`accounts:
  one: &base
    base_url: https://platform.example
    api_key: a
    time_zone: Europe/Paris
  two:
    <<: *base
    api_key: b
`)
    expect(accounts.map(({ apiKey, timeZone }) => [apiKey, timeZone])).toEqual([
      ['a', 'Europe/Paris'],
      ['b', 'Europe/Paris'],
    ])
  })

  it.each(['Pacific/Kiritimati', 'America/Argentina/Buenos_Aires', 'Etc/GMT+12', 'UTC'])(
    'knows the zone %s',
    (zone) => {
      expect(valid(inAccount(`time_zone: ${zone}`)).accounts[0]?.timeZone).toBe(zone)
    },
  )
})

type Case = [line: string, column: number, message: string]

describe('an error stands at the line and column of the key or value', () => {
  it.each([
    ['budgt: {}', 5, 'unknown key `budgt`: did you mean `budget`?'],
    ['setle: 5m', 5, 'unknown key `setle`: did you mean `settle`?'],
    ['time_zone: Europe/Pariss', 16, '`time_zone` must be an IANA time zone such as Europe/Paris'],
    ['time_zone: "+01:00"', 16, '`time_zone` must be an IANA time zone such as Europe/Paris'],
    ['budget: { requests: 0 }', 25, '`requests` must be a whole number from 1'],
    ['budget: { share: 0 }', 22, '`share` must be a number above 0, at most 1, such as 0.5'],
    ['budget: { share: 50% }', 22, '`share` must be a number above 0, at most 1, such as 0.5'],
    ['budget: { share: "1.5" }', 22, '`share` must be a number above 0, at most 1, such as 0.5'],
    ['budget: { concurrency: 1.5 }', 28, '`concurrency` must be a whole number from 1'],
    ['budget: { per: 0s }', 20, '`per` must be a duration from 1ms to 3650d'],
    ['budget:', 5, '`budget` has no value: write `budget: {}` for the defaults, or remove the line'],
    ['timeout: 30', 14, '`timeout` must be a duration with a unit, such as 500ms, 90s, 2m, 1h30m or 7d'],
    ['timeout: 30 s', 14, '`timeout` must be a duration such as 500ms, 90s, 2m, 1h30m or 7d'],
    ['timeout: 25d', 14, '`timeout` must be a duration from 1ms to 1d'],
    ['first_poll: silent', 17, '`first_poll` must be one of baseline, emit'],
    ['shipment_id_field: 7', 24, '`shipment_id_field` must be text: put it in quotes'],
    ['shipment_id_field:', 5, '`shipment_id_field` has no value: give it one, or remove the line'],
    ['time_zone: ${NOPE}', 16, 'the variable NOPE is not set: set it in the environment or in .env beside the file'],
    ['time_zone: ${NOPE', 16, '`${` has no closing `}`'],
    ['api_key: two', 5, 'this key stands here twice: keep one'],
    ['__proto__: {}', 5, 'no key can be `__proto__`'],
    ['constructor: 1', 5, expect.stringContaining('unknown key `constructor`')],
  ])('of an account: %s', (line, column, message) => {
    expect(load(inAccount(line)).problems).toEqual([
      { file: 'shipbell.yaml', line: 6, column, severity: 'error', message },
    ])
  })

  it('of a subscription: order and rate are read', () => {
    const [subscription] = valid(inSubscription('order: subject\n    rate: { requests: 50, per: 1m }')).subscriptions
    expect(subscription).toMatchObject({ order: 'subject', rate: { requests: 50, perMs: 60_000 } })
  })

  it.each<Case>([
    ['secrt: x', 5, 'unknown key `secrt`: did you mean `secret`?'],
    ['order: sequence', 12, '`order` must be one of none, subject'],
    ['rate: 5', 11, '`rate` must be a mapping with keys such as requests, per'],
    ['rate: { requests: 5 }', 5, '`per` is missing in `rate`'],
    ['rate: { requests: 0, per: 1s }', 23, '`requests` must be a whole number from 1'],
    ['rate: { requests: 5, per: 0s }', 31, '`per` must be a duration from 1ms to 3650d'],
    [
      'where: dta.x == 1',
      12,
      expect.stringContaining('`where` cannot be used: Unknown variable: dta (a payload has id,'),
    ],
    ['where: true && dta.x == 1', 20, expect.stringContaining('Unknown variable: dta')],
    ['where: "true && dta.x == 1"', 21, expect.stringContaining('Unknown variable: dta')],
    ["where: 'true && dta.x == 1'", 21, expect.stringContaining('Unknown variable: dta')],
    ['where: "true && \\x64ta.x == 1"', 12, expect.stringContaining('Unknown variable: dta')],
    ["where: 'dta.x == ''a'''", 12, expect.stringContaining('Unknown variable: dta')],
    ['where: data.x = 1', 19, '`where` cannot be used: Unexpected character: ='],
    ['where: data.price == "$$1" && dta', 12, expect.stringContaining('Unknown variable: dta')],
    ['where: data.key == "${KEY}', 12, '`where` cannot be used: the value of a variable in it is not shown'],
    ['where: 1 + 1', 12, '`where` cannot be used: must say true or false, and this is int'],
    ['where: true', 12, '`where` must be text: put it in quotes'],
    ['where: ""', 12, '`where` must not be empty'],
    ['where:', 5, '`where` has no value: give it one, or remove the line'],
    ['min_shift: 12', 16, '`min_shift` must be a duration with a unit, such as 500ms, 90s, 2m, 1h30m or 7d'],
    ['min_shift: 0s', 16, '`min_shift` must be a duration from 1ms to 3650d'],
    ['enabled: no', 14, '`enabled` must be true or false'],
    ['enabled: "no"', 14, '`enabled` must be true or false'],
    ['concurrency: 4x', 18, '`concurrency` must be a whole number from 1'],
    ['accounts: [acme, acne]', 22, 'no account is named `acne`: did you mean `acme`?'],
    ['accounts: []', 15, '`accounts` must not be empty: list at least one, such as [acme]'],
    ['headers: { X-A: 1 }', 21, '`headers` must hold text: put the value in quotes'],
    [
      'headers: { Webhook-Id: x }',
      28,
      '`headers` cannot have `Webhook-Id`: it is set by Shipbell or belongs to the connection',
    ],
    ['headers: { host: x }', 22, '`headers` cannot have `host`: it is set by Shipbell or belongs to the connection'],
    [
      'headers: { X-A: "a\\r\\nB: c" }',
      21,
      '`headers` cannot have `X-A`: it has a line break or another character that a header cannot carry',
    ],
    ...[
      'webhook-id',
      'Webhook-Signature',
      'WEBHOOK-anything',
      'Host',
      'Content-Type',
      'content-length',
      'Content-Encoding',
      'Transfer-Encoding',
      'Connection',
      'Keep-Alive',
      'Upgrade',
      'TE',
      'Trailer',
      'Expect',
    ].map(
      (name) =>
        [
          `headers: { ${name}: x }`,
          18 + name.length,
          `\`headers\` cannot have \`${name}\`: it is set by Shipbell or belongs to the connection`,
        ] satisfies Case,
    ),
    ...['\\n', '\\r', '\\0', '\\e', '\\x7f', '\\u2028', '😀'].map(
      (character) =>
        [
          `headers: { X-A: "a${character}b" }`,
          21,
          '`headers` cannot have `X-A`: it has a line break or another character that a header cannot carry',
        ] satisfies Case,
    ),
    ['headers: { "": b }', 20, '`headers` cannot have ``: it is not a header name'],
    ['headers: { "X A": b }', 23, '`headers` cannot have `X A`: it is not a header name'],
    ['headers: { X-A: b, x-a: c }', 29, '`headers` cannot have `x-a`: it stands here twice'],
  ])('of a subscription: %s', (line, column, message) => {
    expect(load(inSubscription(line)).problems).toEqual([
      { file: 'shipbell.yaml', line: 11, column, severity: 'error', message },
    ])
  })

  it.each([
    ['storag: {}', 1, 'unknown key `storag`: did you mean `storage`?'],
    [
      'smtp: x',
      7,
      '`smtp` must be a mail server such as smtps://user:password@mail.example:465, the password percent-encoded (`#` is %23)',
    ],
    [
      'smtp: http://mail.example',
      7,
      '`smtp` must be a mail server such as smtps://user:password@mail.example:465, the password percent-encoded (`#` is %23)',
    ],
    [
      'retention: { payloads: 30 }',
      24,
      '`payloads` must be a duration with a unit, such as 500ms, 90s, 2m, 1h30m or 7d',
    ],
    ['retention: { ledger: 1h }', 22, '`ledger` must be a duration from 1d to 3650d'],
    [
      'retention: { payloads: 30d, ledger: 29d }',
      37,
      '`ledger` is shorter than `payloads` (30d), and no payload outlives its event: make `ledger` at least as long',
    ],
    ['retention: { payload: 30d }', 14, 'unknown key `payload`: did you mean `payloads`?'],
    ['storage: { url: x }', 17, `\`url\` ${DATABASE}`],
    ['storage: { url: https://db.example/shipbell }', 17, `\`url\` ${DATABASE}`],
    ['storage: { url: "postgres://user:pa#ss@db.example/shipbell" }', 17, `\`url\` ${DATABASE}`],
    ['storage: { url: "postgres://one,other/shipbell" }', 17, `\`url\` ${DATABASE}`],
    ['storage: { url: "postgres://db.example" }', 17, `\`url\` ${DATABASE}`],
    ['storage: { url: "postgres://db.example/shipbell?sslmode=no-verify" }', 17, `\`url\` ${TLS_OF_DATABASE}`],
    ['storage: { url: "postgres://db.example/shipbell?ssl=true" }', 17, `\`url\` ${TLS_OF_DATABASE}`],
    ['storage: { listen_url: 5 }', 24, `\`listen_url\` ${DATABASE}`],
    ['storage: { pool: 3 }', 18, '`pool` must be a whole number from 4'],
    [
      'storage: { path: shipbell.db, url: "postgres://db.example/shipbell" }',
      36,
      '`path` and `url` are two stores: remove the one that is not meant',
    ],
    ['delivery: { alert: opps }', 20, 'no subscription is named `opps`: did you mean `ops`?'],
    ['delivery: { alert: ${KEY} }', 20, 'no subscription has this name: the subscriptions here are ops'],
    ['delivery: { alert: [ops] }', 20, '`alert` must be text'],
    ['delivery: { alert: "" }', 20, '`alert` must not be empty'],
    ['delivery: { retry: [] }', 20, '`retry` must not be empty: list at least one, such as [5s, 5m, 1h]'],
    ['delivery: { retry: [5s, soon] }', 25, '`retry` must be a duration such as 500ms, 90s, 2m, 1h30m or 7d'],
    ['delivery: { retry: 5s }', 20, '`retry` must be a list, such as [5s, 5m, 1h]'],
    [
      'delivery: { allow_networks: [10.0.0.0] }',
      30,
      '`allow_networks` must list networks such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'delivery: { allow_networks: [10.0.0.0/33] }',
      30,
      '`allow_networks` must list networks such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'delivery: { allow_networks: [012.1/8] }',
      30,
      '`allow_networks` must list networks such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'http: { listen: 8484 }',
      17,
      '`listen` must be HOST:PORT, such as 127.0.0.1:8484 or [::1]:8484 (port 0: any free one)',
    ],
    ['http: { listen: "127.0.0.1:65536" }', 17, expect.stringContaining('must be HOST:PORT')],
    ['http: { listen: "::1:80" }', 17, expect.stringContaining('must be HOST:PORT')],
    ['http: { listen: "0.0.0.0:80" }', 17, expect.stringContaining('`http.token` is required')],
    ['http: { listen: "[::]:80", token: "${EMPTY:-}" }', 17, expect.stringContaining('`http.token` is required')],
    ['http: { token: "" }', 16, expect.stringContaining('`token` is empty')],
    ['http: { viewer_token: "${EMPTY}" }', 23, expect.stringContaining('`viewer_token` is empty')],
    ['http: { token: abc, viewer_token: abc }', 35, expect.stringContaining('is the same as `token`')],
    ['http: { public_url: https://a.example/desk }', 21, '`public_url` must not have a path: pages are at its root'],
    ['http: true', 7, '`http` must be a mapping with keys such as listen, token, viewer_token'],
    ['log: { level: verbose }', 15, '`level` must be one of trace, debug, info, warn, error, fatal, silent'],
    ['storage: { path: "" }', 18, '`path` must not be empty'],
    ['storage: !secret x', 10, 'tags (`!…`) are not supported: write the plain value'],
    ['storage: *nowhere', 10, 'no anchor &nowhere stands before *nowhere'],
    ['storage: { <<: 3 }', 16, '`<<` merges a mapping (an alias of one), or a list of them'],
    ['"a\\u001b[31m": 1', 1, expect.stringContaining('unknown key `a\\u{1b}[31m`')],
  ])('of the whole: %s', (line, column, message) => {
    expect(load(atEnd(line)).problems).toEqual([
      { file: 'shipbell.yaml', line: 11, column, severity: 'error', message },
    ])
  })

  it.each([
    ['ftp://erp.example', 'must start with https:// or http://'],
    ['unix:///var/run/docker.sock', 'must start with https:// or http://'],
    ['http://[fe80::1%25eth0]/', 'must be a URL such as https://erp.example/hooks'],
    ['http://127.0.0.256/', 'must be a URL such as https://erp.example/hooks'],
    ['http://1.2.3.4.5/', 'must be a URL such as https://erp.example/hooks'],
    ['erp.example/hooks', 'must be a URL such as https://erp.example/hooks'],
    ['https://user:hunter2@erp.example', 'must not hold a user name or password'],
    ['https://erp.example/#top', 'must not have a fragment (`#…`): it is never sent'],
  ])('of an address: %s', (url, message) => {
    expect(problems((ACCOUNT + LISTENER).replace('https://ops.example/hooks', url))).toEqual([
      `8:10 \`url\` ${message}`,
    ])
  })

  it('refuses a query in the address of a platform', () => {
    expect(problems(ACCOUNT.replace('platform.example', 'platform.example/?a=b') + LISTENER)).toEqual([
      '3:15 `base_url` must not have a query: paths such as /v1/shipments are appended',
    ])
  })

  const SECRET_RULE = expect.stringContaining('must be whsec_ and the base64 of 24 to 64 bytes')
  it.each([
    ['without its prefix', SECRET.slice('whsec_'.length), SECRET_RULE],
    ['of 23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`, SECRET_RULE],
    ['of 65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`, SECRET_RULE],
    ['in base64url', `whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`, SECRET_RULE],
    [
      'of a key pair of 32 bytes',
      `whsk_${Buffer.alloc(32).toString('base64')}`,
      expect.stringContaining('`secret` holds 32 bytes: whsk_ must be followed by the base64 of 64 bytes'),
    ],
    [
      'of a key pair in base64url',
      `whsk_${Buffer.alloc(64, 0xff).toString('base64url')}`,
      expect.stringContaining('`secret` is not base64: whsk_'),
    ],
    [
      'of two halves that are no pair',
      `whsk_${Buffer.alloc(64).toString('base64')}`,
      '`secret` holds a public key that does not belong to its seed',
    ],
    [
      'that is a public key',
      `whpk_${Buffer.alloc(32).toString('base64')}`,
      '`secret` is a public key, for the receiver: Shipbell signs with the whsk_ key',
    ],
  ])('of a secret %s', (_, secret, message) => {
    for (const [value, column] of [
      [secret, 13],
      [`[${secret}]`, 14],
    ] as const) {
      const found = load((ACCOUNT + LISTENER).replace('${SECRET}', value)).problems
      expect(found).toEqual([{ file: 'shipbell.yaml', line: 9, column, severity: 'error', message }])
      expect(JSON.stringify(found)).not.toContain(secret)
    }
  })

  it.each([
    [
      '[shipment.departd]',
      14,
      '`events` names no event type with `shipment.departd`: did you mean `shipment.departed`?',
    ],
    ['["*", shipments.*]', 19, '`events` names no event type with `shipments.*`: did you mean `shipment.*`?'],
    [
      '["*", "qwertyuiopasdf"]',
      19,
      '`events` names no event type with `qwertyuiopasdf`: `shipbell events types` lists them',
    ],
    [
      '[shipment.snapshot]',
      14,
      '`events` names no event type with `shipment.snapshot`: no pattern asks for it; `start: snapshot` and `watermark` do',
    ],
    ['["${KEY}"]', 14, '`events` names no event type with this value: `shipbell events types` lists them'],
    ['[]', 13, '`events` must not be empty: list at least one, such as ["shipment.*"]'],
    ['shipment.*', 13, '`events` must be a list, such as ["shipment.*"]'],
    ['[3]', 14, '`events` must list event types such as shipment.departed or invoice.*'],
  ])('of events: %s', (events, column, message) => {
    expect(problems((ACCOUNT + LISTENER).replace('["*", account.*]', events))).toEqual([`10:${column} ${message}`])
  })

  it('of what is missing, at the key that lacks it', () => {
    expect(problems('accounts:\n  acme: {}\nsubscriptions:\n  erp: { enabled: true }\n')).toEqual([
      '2:3 `base_url` is missing in `acme`',
      '2:3 `api_key` is missing in `acme`',
      '4:3 `events` is missing in `erp`',
      '4:3 one of `url`, `slack`, `teams`, `google_chat`, `mattermost`, `rocketchat`, `email`, `svix` and `pull` is missing in `erp`',
    ])
    expect(problems('log: {}\n')).toEqual(['1:1 `accounts` is missing'])
  })

  it.each([
    ['{ url: https://a.example/ }', '7:3 `secret` is missing in `ops`'],
    [
      '{ slack: { url: https://a.example/ }, url: https://a.example/ }',
      '7:10 a subscription has one channel: `url` and `slack` exclude each other',
    ],
    ['{ slack: { url: https://a.example/ }, secret: x }', '7:46 `secret` belongs to `url`, not to `slack`'],
    [
      '{ slack: { url: https://a.example/ }, concurrency: 4 }',
      '7:46 `concurrency` is not for `slack`: its messages go one after another',
    ],
    [
      '{ slack: { url: https://a.example/ }, digest: { at: "08:00" } }',
      '7:46 `digest` belongs to `email`, not to `slack`',
    ],
    [
      '{ email: { to: [a@b.example], from: a@b.example } }',
      '7:10 `email` needs a mail server: add `smtp` at the top level',
    ],
    [
      '{ email: { to: [a@b.example], from: a@b.example }, digest: { at: "08:00" }, order: subject }',
      '7:84 `order: subject` and `digest` exclude each other: a digest tells all events of a subject together, in their order',
    ],
    [
      '{ google_chat: { url: https://a.example/ }, concurrency: 4 }',
      '7:52 `concurrency` is not for `google_chat`: its messages go one after another',
    ],
    ...['a b', '/accounts?x=1', '#x', 'https://', 'é'].map((source) => [
      `{ url: https://a.example/, secret: ${SECRET}, source: "${source}" }`,
      '7:103 `source` must be a URI or a path without query and fragment, such as /accounts or https://shipbell.example/accounts',
    ]),
    ['{ slack: { url: x } }', '7:24 `url` must be a URL such as https://erp.example/hooks'],
    [
      '{ slack: {} }',
      '7:10 `url` is missing in `slack`: name an incoming webhook there, or `token` and `channel` of an app',
    ],
    ['{ slack: { token: t } }', '7:10 `channel` is missing in `slack`'],
    ['{ slack: { channel: C0123, live: true } }', '7:10 `token` is missing in `slack`'],
    [
      '{ slack: { url: https://a.example/, live: true } }',
      '7:44 `live` is not for an incoming webhook: take either `url`, or `token` and `channel` of an app',
    ],
    [
      '{ slack: { token: t, channel: C0123, live: false } }',
      '7:51 `live` must be true: for messages that stay as they were sent, name an incoming webhook in `url`',
    ],
    [
      '{ slack: { token: t, channel: "#ops" } }',
      '7:38 `channel` must be the id of a channel, such as C0123456789 (in Slack: at the end of what it says about the channel)',
    ],
    ['{ svix: { token: t, server: https://svix.example } }', '7:10 `app` is missing in `svix`'],
    [
      '{ svix: { token: t, server: "https://svix.example?a=1", app: acme } }',
      '7:36 `server` must not have a query, nor end in /api/v1: paths such as /api/v1/app are appended',
    ],
    ...['acme inc', '..', 'x'.repeat(257)].map((app) => [
      `{ svix: { token: t, server: https://svix.example, app: "${app}" } }`,
      '7:63 `app` must be letters, digits, `.`, `_` and `-`, 256 at most: it is a uid in Svix',
    ]),
  ])('of a channel: %s', (channel, problem) => {
    const yaml = `${ACCOUNT}subscriptions:\n  ops: ${channel.replace(/ }$/, ', events: ["account.*"] }')}\n`
    expect(problems(yaml)).toContain(problem)
  })

  it.each([
    ['to: [a b@c.example], from: a@b.example', 'to'],
    ['to: ["a@b.example\\r\\nBcc: x@y.example"], from: a@b.example', 'to'],
    ['to: [], from: a@b.example', 'to'],
    ['to: [a@b.example], from: "Eve <a@b.example>"', 'from'],
  ])('of mail that cannot be addressed: %s', (keys, wrong) => {
    const yaml = `${ACCOUNT}smtp: smtp://mail.example\nsubscriptions:\n  ops: { email: { ${keys} }, events: ["account.*"] }\n`
    expect(problems(yaml)).toEqual([expect.stringContaining(`\`${wrong}\` must`)])
  })

  it.each([
    ['tracking: {}', 14, '`tracking` needs `shipments`: add `shipments: {}` beside it'],
    ['shipments: { evry: 2m }', 27, 'unknown key `evry`: did you mean `every`?'],
    ['shipments: { every: 0s }', 34, '`every` must be a duration from 1ms to 3650d'],
    ['shipments: { milestone_grace: 24 }', 44, expect.stringContaining('must be a duration with a unit')],
    ['invoices: { due_soon: 7d }', 36, '`due_soon` must be a list, such as [7d, 1d]'],
    ['invoices: { due_soon: [7d, 1s] }', 41, '`due_soon` must be a duration from 1m to 366d'],
    ['order_preparations: { references: [] }', 48, '`references` must not be empty: list at least one, such as [OP-1]'],
    ['order_preparations: { references: [OP-1, 7] }', 55, '`references` must be text: put it in quotes'],
    ['documents: { ignore: /link }', 35, '`ignore` must be a list, such as [/updated_at]'],
    ['documents: { ignore: [/a, size] }', 40, expect.stringContaining('`ignore` must list JSON Pointers such as')],
    ['documents: { ignore: [""] }', 36, expect.stringContaining('each starts with `/`')],
    ['documents: { ignore: [/a~2] }', 36, expect.stringContaining('~0 stands for `~`')],
    ['invoices: { notice: [/number] }', 35, '`/number` is not ignored by default: only /usd_to_eur_rate is'],
    ['shipments: { notice: [/name] }', 36, '`/name` is not ignored by default: nothing of `shipments` is'],
    ['documents: { notice: [/link] }', 36, '`/link` may be another in every answer, and is never compared'],
    [
      'shipments: {}, tracking: { notice: [/ocean_coordinates] }',
      50,
      'write `positions: true` for `/ocean_coordinates`',
    ],
    ['documents: { notice: [link] }', 36, expect.stringContaining('`notice` must list JSON Pointers such as')],
    ['documents: { weight: 0 }', 35, '`weight` must be a number above 0, at most 1000, such as 2 or 0.5'],
    ['documents: { weight: much }', 35, '`weight` must be a number above 0, at most 1000, such as 2 or 0.5'],
    ['documents: { positions: true }', 27, 'unknown key `positions`: the keys here are every, weight, ignore, notice'],
    ['shipments: {}, tracking: { positions: maybe }', 52, '`positions` must be true or false'],
    ['shipment: {}', 14, 'unknown key `shipment`: did you mean `shipments`?'],
  ])('of watch: %s', (watch, column, message) => {
    const { problems: found } = load(ACCOUNT.replace('shipments: {}', watch) + LISTENER)
    expect(found).toEqual([{ file: 'shipbell.yaml', line: 5, column, severity: 'error', message }])
  })

  it('of a name', () => {
    expect(problems(ACCOUNT.replace('acme', 'Acme') + LISTENER)).toEqual([
      '2:3 the name `Acme` must be lower-case letters, digits, `_` and `-`, a letter or digit first, 64 at most',
    ])
  })

  it.each([
    ['an account', (name: string) => ACCOUNT.replace('acme', name) + LISTENER],
    [
      'a subscription',
      (name: string) =>
        `${ACCOUNT}subscriptions:\n  ${name}: { url: "https://e.example", secret: ${SECRET}, events: ["*"] }\n`,
    ],
  ])('of a name of %s that not every channel bears', (_of, yaml) => {
    const rule = 'must be lower-case letters, digits, `_` and `-`, a letter or digit first, 64 at most'
    expect(problems(yaml('a'.repeat(64))).filter((each) => each.includes('the name'))).toEqual([])
    for (const name of ['a'.repeat(65), 'Main', 'a.b', '-a'])
      expect(problems(yaml(name))).toContainEqual(expect.stringContaining(`the name \`${name}\` ${rule}`))
  })

  it('of several places at once, in the order of the file', () => {
    const found = problems(`${inAccount('settle: soon\n    time_zone: Nowhere')}log: { level: loud }\n`)
    expect(found.map((each) => each.split(' ')[0])).toEqual(['6:13', '7:16', '13:15'])
  })

  it('of an alert where there is no subscription', () => {
    expect(problems(`${ACCOUNT}delivery: { alert: ops }\n`)).toEqual([
      '6:20 no subscription is named `ops`: there is no subscription here',
    ])
  })

  it('of a value behind an anchor, once', () => {
    const found = problems('accounts:\n  a: &a { base_url: x, api_key: y }\n  b: *a\n')
    expect(found).toEqual(['2:21 `base_url` must be a URL such as https://erp.example/hooks'])
  })

  it.each([
    ['', '1:1 the file is empty: `shipbell init` writes one to start from'],
    ['# only a comment\n', '1:1 the file is empty: `shipbell init` writes one to start from'],
    ['- a\n', '1:1 the file must be a mapping with keys such as accounts, subscriptions, delivery'],
    ['accounts: [1\nlog: {}\n', '2:1 the indentation is wrong here, or a bracket before it is not closed'],
    ['accounts:\n\tacme: {}\n', '2:1 a tab cannot indent: use spaces'],
    ['log: {}\n---\nlog: {}\n', '2:1 a configuration is one YAML document: remove the `---` and what follows it'],
  ])('of the file %j', (yaml, expected) => {
    expect(problems(yaml)[0]).toBe(expected)
  })
})

const CLOSED = 'link-local, metadata, multicast and reserved'

function opensAllOf(network: string, opened: string): string {
  return `\`${network}\` opens all of ${opened}: name only the networks of your receivers; ${CLOSED} addresses stay closed`
}

function opensNothing(network: string): string {
  return `\`${network}\` opens nothing: public addresses are open anyway, and ${CLOSED} ones stay closed`
}

describe('a warning leaves the configuration valid', () => {
  it.each([
    [ACCOUNT, '1:1 warning: nothing hears `account.*`'],
    [`${ACCOUNT}${LISTENER.replace(', account.*', '')}`, '6:1 warning: nothing hears `account.*`'],
    [inSubscription('enabled: false'), '6:1 warning: nothing hears `account.*`'],
    [ACCOUNT.replace('https:', 'http:') + LISTENER, '3:15 warning: the API key of `acme` travels unencrypted'],
    [
      (ACCOUNT + LISTENER).replace('https://ops', 'http://ops'),
      '8:10 warning: events travel unencrypted over http (ops)',
    ],
    [
      `${ACCOUNT}subscriptions:\n  hub: { svix: { token: t, server: http://svix.example, app: a }, events: [account.*] }\n`,
      '7:36 warning: events travel unencrypted over http (hub)',
    ],
    ['accounts: {}\n' + LISTENER, '1:1 warning: there is no account: nothing is read'],
    [ACCOUNT.replace('shipments: {}', '') + LISTENER, '2:3 warning: account `acme` watches nothing'],
    [
      (ACCOUNT + LISTENER).replace('https://ops.example', 'http://127.0.0.1:9'),
      '8:10 warning: every delivery to `ops` will be refused: 127.0.0.1 is a loopback address',
    ],
    [
      (ACCOUNT + LISTENER).replace('ops.example', '10.1.2.3'),
      '8:10 warning: every delivery to `ops` will be refused: 10.1.2.3 is a private address',
    ],
    [
      (ACCOUNT + LISTENER).replace('ops.example', '169.254.169.254'),
      '8:10 warning: every delivery to `ops` will be refused: 169.254.169.254 is a metadata se',
    ],
  ])('case %#', (yaml, start) => {
    const { config, problems: found } = load(yaml)
    expect(found.map((each) => shown(each).slice(0, start.length))).toEqual([start])
    expect(config).not.toBeNull()
  })

  it('is not given for a target that a network allows', () => {
    const yaml = (ACCOUNT + LISTENER).replace('https://ops.example', 'http://localhost:9')
    expect(problems(`${yaml}delivery: { allow_networks: [127.0.0.0/8] }\n`)).toEqual([])
  })

  it.each([
    ['https://ops.localhost.', '127.0.0.1 is a loopback address, which is dialled only where'],
    ['http://[::ffff:10.1.2.3]', '::ffff:a01:203 holds 10.1.2.3, a private address, which is dialled only where'],
    ['http://0251.254.169.254', '169.254.169.254 is a metadata service, which is never dialled'],
  ])('names the rule that refuses %s', (url, rule) => {
    expect(problems(ACCOUNT + LISTENER.replace('https://ops.example', url))).toContainEqual(
      expect.stringContaining(`every delivery to \`ops\` will be refused: ${rule}`),
    )
  })

  it.each([
    ['0.0.0.0/0', opensAllOf('0.0.0.0/0', '127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10')],
    ['::/0', opensAllOf('::/0', '::1/128, fc00::/7')],
    ['10.0.0.0/7', opensAllOf('10.0.0.0/7', '10.0.0.0/8')],
    ['169.254.0.0/16', opensNothing('169.254.0.0/16')],
    ['fe80::/10', opensNothing('fe80::/10')],
    ['8.8.8.0/24', opensNothing('8.8.8.0/24')],
    ['100.100.100.200/32', opensNothing('100.100.100.200/32')],
    ['fd00:ec2::254/128', opensNothing('fd00:ec2::254/128')],
    [
      '::ffff:10.0.0.0/104',
      '`::ffff:10.0.0.0/104` opens nothing: IPv4 inside IPv6 is judged as IPv4, so name the IPv4 network',
    ],
  ])('says that %s in allow_networks does not mean what it says', (network, message) => {
    const yaml = `${ACCOUNT}${LISTENER}delivery:\n  allow_networks:\n    - 10.1.0.0/16\n    - "${network}"\n`
    expect(problems(yaml)).toEqual([expect.stringMatching(/^\d+:7 warning: /)])
    expect(problems(yaml)[0]).toContain(message)
  })

  it.each(['127.0.0.1/32', '10.0.0.0/8', '172.20.0.0/16', '192.168.1.0/24', '100.64.0.0/10', '::1/128', 'fd00::/8'])(
    'is not given for %s in allow_networks',
    (network) => {
      expect(problems(`${ACCOUNT}${LISTENER}delivery: { allow_networks: ["${network}"] }\n`)).toEqual([])
    },
  )

  it('names the accounts that nobody hears', () => {
    const second = '  globex: { base_url: "https://p.example", api_key: k, watch: { invoices: {} } }\n'
    expect(problems(`${ACCOUNT}${second}${LISTENER}    accounts: [acme]\n`)).toEqual([
      expect.stringContaining('7:1 warning: nothing hears `account.*` of globex'),
    ])
  })

  it('is not given where `delivery.alert` hears the accounts, whatever its own lists', () => {
    const [, , ...rest] = LISTENER.split('\n')
    const quiet = ['subscriptions:', '  ops:', ...rest].join('\n').replace('["*", account.*]', '[shipment.*]')
    const yaml = `${ACCOUNT}${quiet}    accounts: [acme]\ndelivery: { alert: ops }\n`
    const second = '  globex: { base_url: "https://p.example", api_key: k, watch: { invoices: {} } }\n'
    expect(problems(yaml.replace(ACCOUNT, ACCOUNT + second))).toEqual([])
    expect(valid(yaml).subscriptions.map(({ alert }) => alert)).toEqual([true])
  })

  it('about http is said once for all subscriptions', () => {
    const two = `${LISTENER}  erp: { url: "http://erp.example", secret: "\${SECRET}", events: [shipment.*] }\n`
    expect(problems(ACCOUNT + two.replace('https://ops', 'http://ops'))).toEqual([
      '8:10 warning: events travel unencrypted over http (ops, erp): use https',
    ])
  })
})

describe('a file that cannot be read', () => {
  it('is one sentence that says what to do', () => {
    const cwd = scratchFolder({ 'latin1.yaml': new Uint8Array([0x61, 0x3a, 0x20, 0xe9]) })
    const load = (file: string) => () => loadConfig(file, { env: {}, cwd })
    expect(load('shipbell.yaml')).toThrow(
      new ShipbellError(
        'config_invalid',
        'There is no configuration shipbell.yaml: write one with `shipbell init`, or name another with -c FILE.',
      ),
    )
    expect(load('.')).toThrow('. is a folder: name the configuration file in it with -c FILE.')
    expect(load('latin1.yaml')).toThrow('latin1.yaml is not UTF-8 text: save it as UTF-8.')
  })

  it('may start with a byte order mark', () => {
    expect(problems(`\ufeff${ACCOUNT}${LISTENER}`)).toEqual([])
  })

  it('may have Windows line ends', () => {
    expect(problems((ACCOUNT + LISTENER).replaceAll('\n', '\r\n'))).toEqual([])
    expect(problems(inAccount('settle: soon').replaceAll('\n', '\r\n'))).toHaveLength(1)
  })
})

describe('variables between brackets', () => {
  it('need no quotes', () => {
    const config =
      valid(`accounts: { acme: { base_url: https://p.example, api_key: \${KEY}, watch: { shipments: {} } } }
subscriptions: { erp: { url: \${URL:-https://erp.example/a,b[c]}, secret: \${SECRET}, events: ["*", "account.*"] } }
http: { listen: 127.0.0.1:8484, token: \${SHIPBELL_TOKEN:-} }
`)
    expect(config.subscriptions[0]?.channel).toMatchObject({ url: 'https://erp.example/a,b[c]' })
    expect(config.accounts[0]?.apiKey).toBe(ENV.KEY)
    expect(config.http?.token).toBeNull()
  })

  it('leave one error where a bracket is missing, not one for every line after it', () => {
    expect(problems(`accounts: { acme: { base_url: https://p.example\n${LISTENER}`)).toHaveLength(1)
  })
})

describe('only the storage', () => {
  it('is read whatever is wrong or unset elsewhere', () => {
    const cwd = scratchFolder({
      'shipbell.yaml': 'accounts: { Bad: { api_key: "${NOPE}" } }\nstorage: { path: state/a.db }\nsmtp: x\n',
    })
    expect(requireStorage('shipbell.yaml', { env: {}, cwd })).toEqual({ kind: 'file', path: `${cwd}/state/a.db` })
  })

  it('has its default where it is not named', () => {
    const cwd = scratchFolder({ 'shipbell.yaml': 'accounts: {}\n' })
    const expected = { kind: 'file', path: `${cwd}/shipbell.db` }
    expect(requireStorage('./shipbell.yaml', { env: {}, cwd: `${cwd}/` })).toEqual(expected)
  })

  it('reports its own problems', () => {
    const cwd = scratchFolder({ 'shipbell.yaml': 'storage: { path: "${NOPE}" }\n' })
    const refused = {
      code: 'config_invalid',
      message: expect.stringMatching(/^shipbell\.yaml:1:18: the variable NOPE is not set.*$/),
    }
    expect(() => requireStorage('shipbell.yaml', { env: {}, cwd })).toThrow(expect.objectContaining(refused))
  })
})
