import { describe, expect, it } from 'vitest'
import { secretsOf } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { issueCertificate } from '../support/certificate.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

const AUTHORITY = issueCertificate({ name: 'authority', authority: true })
const CLIENT = issueCertificate({ name: 'client', issuer: AUTHORITY })
const EXPIRED = issueCertificate({ name: 'expired', to: new Date('2026-11-20T12:00:00Z') })
const FILES = { 'ca.pem': AUTHORITY.cert, 'c.pem': CLIENT.cert, 'k.pem': CLIENT.key, 'expired.pem': EXPIRED.cert }

interface Keys {
  readonly baseUrl?: string
  readonly account?: string
  readonly subscription?: string
  readonly smtp?: string
}

function load({ baseUrl = 'https://p.example', account = '', subscription = '', smtp = 'smtp://mail.example' }: Keys) {
  const yaml = `accounts:
  acme: { base_url: "${baseUrl}", api_key: k, watch: { shipments: {} }, ${account} }
subscriptions:
  erp: { url: "https://erp.example/", secret: ${SECRET}, events: ["*", account.*], ${subscription} }
  finance: { email: { to: [a@b.example], from: b@c.example }, events: ["shipment.*"] }
smtp: ${smtp}
`
  const cwd = scratchFolder({ ...FILES, 'shipbell.yaml': yaml })
  const { config, problems, sources } = loadConfig('shipbell.yaml', { env: {}, cwd, clock: new FakeClock() })
  return {
    config,
    files: sources.files,
    problems: problems.map(shown).filter((each) => !each.includes('everybody on this machine')),
  }
}

const of = (name: string): string => `proxy: "http://bell:${name}-pa%2Fss@proxy:3128"`

describe('a proxy', () => {
  it.each(['http://proxy.example:3128', 'https://user:p%40ss@[::1]:8443/', 'http://10.0.0.1'])(
    '%s is taken by accounts, subscriptions and the mail server',
    (address) => {
      const keys = `proxy: "${address}"`
      const smtp = `{ url: "smtp://mail.example", ${keys} }`
      const { config, problems } = load({ account: keys, subscription: keys, smtp })
      expect(problems).toEqual([])
      expect(config?.accounts[0]?.proxy).toEqual({ address, allowUnresolved: true })
      expect(config?.subscriptions.map(({ channel }) => channel.proxy)).toEqual([
        { address, allowUnresolved: false },
        { address, allowUnresolved: true },
      ])
    },
  )

  const NO_PROXY =
    'must be an HTTP proxy such as http://user:password@proxy.example:3128, the password percent-encoded (`#` is %23)'
  it.each(['socks5://proxy.example:1080', 'proxy.example:3128', 'http://proxy.example/pac', 'http://u:a#b@proxy', 'x'])(
    '%s is refused',
    (address) => {
      expect(load({ account: `proxy: "${address}"` }).problems).toEqual([expect.stringContaining(NO_PROXY)])
      expect(load({ subscription: `proxy: "${address}"` }).problems).toEqual([expect.stringContaining(NO_PROXY)])
    },
  )

  it('is asked for names that are not known here where the subscription says so', () => {
    const both = 'proxy: "http://proxy:3128", allow_unresolved: true'
    expect(load({ subscription: both }).config?.subscriptions[0]?.channel.proxy?.allowUnresolved).toBe(true)
    expect(load({ subscription: 'allow_unresolved: true' }).problems).toEqual([
      expect.stringMatching(/`allow_unresolved` is about what a proxy resolves: it needs `proxy`$/),
    ])
  })

  it('keeps its login to itself', () => {
    const smtp = `{ url: "smtp://mail.example", ${of('mail')} }`
    const { config } = load({ account: of('account'), subscription: of('erp'), smtp })
    const secrets = config === null ? [] : secretsOf(config)
    for (const name of ['account', 'erp', 'mail'])
      expect(secrets).toEqual(
        expect.arrayContaining([
          `${name}-pa/ss`,
          `${name}-pa%2Fss`,
          Buffer.from(`bell:${name}-pa/ss`).toString('base64'),
        ]),
      )
  })
})

describe('tls of accounts and of the mail server', () => {
  const keys = 'tls: { ca: ca.pem, cert: c.pem, key: k.pem }'

  it('is read relative to the configuration, watched, and its key is hidden', () => {
    const expected = { ca: AUTHORITY.cert.trimEnd(), cert: CLIENT.cert.trimEnd(), key: CLIENT.key.trimEnd() }
    const { config, files, problems } = load({ account: keys, smtp: `{ url: "smtps://mail.example", ${keys} }` })
    expect(problems).toEqual([])
    expect(config?.accounts[0]?.tls).toEqual(expected)
    expect(config?.subscriptions[1]?.channel).toMatchObject({ tls: expected })
    expect(files.filter((file) => file.endsWith('.pem'))).toHaveLength(3)
    expect(config === null ? [] : secretsOf(config)).toContain(CLIENT.key.split('\n')[1])
  })

  it.each([
    ['account', { account: 'tls: { ca: nowhere.pem }' }],
    ['mail server', { smtp: '{ url: "smtp://m.example", tls: { ca: nowhere.pem } }' }],
  ])('names a file of the %s that is not there', (_, each) => {
    expect(load(each).problems).toEqual([expect.stringContaining('the file nowhere.pem cannot be read (ENOENT)')])
  })

  it('warns of certificates that have expired', () => {
    const expired = 'tls: { ca: expired.pem }'
    const { problems } = load({ account: expired, smtp: `{ url: "smtp://m.example", ${expired} }` })
    expect(problems).toEqual([
      expect.stringMatching(/^2:.* `ca` holds a certificate that expired on 2026-11-20/),
      expect.stringMatching(/^6:.* `ca` holds a certificate that expired on 2026-11-20/),
    ])
  })

  it('needs something that speaks TLS', () => {
    const baseUrl = 'http://127.0.0.1'
    expect(load({ baseUrl, account: keys }).problems).toEqual([
      expect.stringMatching(/^2:.*`tls` needs a `base_url` with https$/),
    ])
    const behindTls = `${keys}, proxy: "https://proxy.example:3128"`
    expect(load({ baseUrl, account: behindTls }).problems).toEqual([])
  })
})

describe('defaults', () => {
  it('name proxies and certificates for all but who says null', () => {
    const defaults = `defaults:
  account: { proxy: "http://a:1", tls: { ca: ca.pem } }
  subscription: { proxy: "http://s:1", tls: { ca: ca.pem } }
`
    const smtp = `smtp://mail.example\n${defaults}`
    const { config, problems } = load({ smtp })
    expect(problems).toEqual([])
    expect(config?.accounts[0]).toMatchObject({
      proxy: { address: 'http://a:1' },
      tls: { ca: AUTHORITY.cert.trimEnd() },
    })
    expect(config?.subscriptions.map(({ channel }) => channel.proxy ?? null)).toEqual([
      { address: 'http://s:1', allowUnresolved: false },
      null,
    ])
    const without = load({ smtp, account: 'proxy: null', subscription: 'proxy: null' }).config
    expect([without?.accounts[0]?.proxy, without?.subscriptions[0]?.channel.proxy]).toEqual([null, null])
  })
})

describe('payload_limit', () => {
  it.each([
    ['64kB', 64_000],
    ['64KiB', 65_536],
    ['1000B', 1_000],
    ['256kB', 256_000],
  ])('%s is %d bytes', (size, bytes) => {
    const { config, problems } = load({ subscription: `payload: auto, payload_limit: ${size}` })
    expect(problems).toEqual([])
    expect(config?.subscriptions[0]?.channel).toMatchObject({ payload: 'auto', limitBytes: bytes })
  })

  it.each(['999B', '257kB', '1MB', '64', '64kb'])('%s is refused', (size) => {
    expect(load({ subscription: `payload_limit: ${size}` }).problems).toEqual([
      expect.stringContaining('`payload_limit` must be a size from 1kB to 256kB, such as 64kB'),
    ])
  })
})

describe('the mail server', () => {
  it.each([
    ['{ url: "mail.example" }', '6:14 `url` must be a mail server such as'],
    ['{ proxy: "http://p:1" }', '6:1 `url` is missing in `smtp`'],
    ['{ url: "smtp://m", prxy: x }', '6:26 unknown key `prxy`: did you mean `proxy`?'],
    ['"ftp://m"', '6:7 `smtp` must be a mail server such as'],
    ['[x]', '6:7 `smtp` must be a mapping with keys such as url, proxy, tls'],
  ])('%s is refused at its place', (smtp, problem) => {
    expect(load({ smtp }).problems).toEqual([expect.stringContaining(problem)])
  })
})
