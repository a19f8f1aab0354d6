import { generateKeyPairSync } from 'node:crypto'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig, type LoadedConfig } from '../../src/config/load-config.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { issueCertificate } from '../support/certificate.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

const AUTHORITY = issueCertificate({ name: 'authority', authority: true })
const OTHER_AUTHORITY = issueCertificate({ name: 'other', authority: true })
const CLIENT = issueCertificate({ name: 'client', issuer: AUTHORITY })
const LATER = issueCertificate({ name: 'later', from: new Date('2026-12-01') })
const EXPIRED = issueCertificate({ name: 'expired', to: new Date('2026-11-20T12:00:00Z') })
const ENCRYPTED = generateKeyPairSync('ed25519').privateKey.export({
  format: 'pem',
  type: 'pkcs8',
  cipher: 'aes-256-cbc',
  passphrase: 'top secret',
})

/** PEM texts without their last line end, as files are read. */
const FILES = {
  'ca.pem': AUTHORITY.cert.trimEnd(),
  'both.pem': `Two authorities:\n${AUTHORITY.cert}\n${OTHER_AUTHORITY.cert.trimEnd()}`,
  'c.pem': CLIENT.cert.trimEnd(),
  'k.pem': CLIENT.key.trimEnd(),
  'all.pem': CLIENT.cert + CLIENT.key.trimEnd(),
  'later.pem': LATER.cert,
  'expired.pem': EXPIRED.cert,
  'expired-key.pem': EXPIRED.key,
  'encrypted.pem': String(ENCRYPTED),
  'half.pem': AUTHORITY.cert.slice(0, 200),
  'broken.pem': AUTHORITY.cert.replace(/.{64}\n/, ''),
  'empty.pem': '',
  'der.pem': new Uint8Array([0x30, 0x82, 0xff, 0xfe]),
}
const ENV = { CA: AUTHORITY.cert, RAW_KEY: 'MC4CAQAwBQYDK2VwBCIEIOl2', NO_FILE: 'nowhere.pem' }

function loaded(tls: string, url: string): LoadedConfig {
  const yaml = `accounts: { acme: { base_url: "https://p.example", api_key: k, watch: { shipments: {} } } }
subscriptions:
  erp:
    url: ${url}
    secret: ${SECRET}
    events: ["*", account.*]
    tls: ${tls}
`
  const cwd = scratchFolder({ ...FILES, 'shipbell.yaml': yaml })
  return loadConfig('shipbell.yaml', { env: ENV, cwd, clock: new FakeClock() })
}

function load(tls: string, url = 'https://erp.example/') {
  const { config, problems } = loaded(tls, url)
  const channel = config?.subscriptions[0]?.channel
  return { tls: channel?.kind === 'webhook' ? channel.tls : undefined, problems: problems.map(shown) }
}

describe('tls', () => {
  it.each([
    ['{ ca: ca.pem }', { ca: FILES['ca.pem'], cert: null, key: null }],
    ['{ ca: ./both.pem }', { ca: FILES['both.pem'], cert: null, key: null }],
    ['{ ca: "${CA}" }', { ca: AUTHORITY.cert, cert: null, key: null }],
    ['{ ca: "${file:ca.pem}" }', { ca: FILES['ca.pem'], cert: null, key: null }],
    ['{ cert: c.pem, key: k.pem }', { ca: null, cert: FILES['c.pem'], key: FILES['k.pem'] }],
    ['{ cert: all.pem, key: all.pem }', { ca: null, cert: FILES['all.pem'], key: FILES['all.pem'] }],
    ['{}', { ca: null, cert: null, key: null }],
  ])('%s is read relative to the configuration', (yaml, expected) => {
    expect(load(yaml)).toEqual({ tls: expected, problems: [] })
  })

  const NOT_CERTIFICATES = 'must hold certificates in PEM (`-----BEGIN CERTIFICATE-----`), all readable'
  it.each([
    [
      '{ ca: nowhere.pem }',
      '7:16 `ca` cannot be had: the file nowhere.pem cannot be read (ENOENT): mend the path, relative to the configuration',
    ],
    ['{ ca: der.pem }', '7:16 `ca` cannot be had: the file der.pem is not UTF-8 text'],
    ['{ ca: empty.pem }', `7:16 \`ca\` ${NOT_CERTIFICATES}`],
    ['{ ca: half.pem }', `7:16 \`ca\` ${NOT_CERTIFICATES}`],
    ['{ ca: broken.pem }', `7:16 \`ca\` ${NOT_CERTIFICATES}`],
    ['{ ca: k.pem }', `7:16 \`ca\` ${NOT_CERTIFICATES}`],
    ['{ ca: [ca.pem] }', '7:16 `ca` must be text'],
    ['{ ca: }', '7:12 `ca` has no value: give it one, or remove the line'],
    ['{ cert: c.pem }', '7:18 `cert` needs its private key: add `key`'],
    ['{ key: k.pem }', '7:17 `key` needs its certificate: add `cert`'],
    ['{ cert: c.pem, key: c.pem }', '7:30 `key` must hold a private key in PEM (`-----BEGIN PRIVATE KEY-----`)'],
    [
      '{ cert: c.pem, key: encrypted.pem }',
      '7:30 `key` is encrypted: store the key without a passphrase, readable by Shipbell alone',
    ],
    ['{ cert: c.pem, key: expired-key.pem }', '7:30 `key` does not belong to the first certificate of `cert`'],
    [
      '{ cert: c.pem, key: "${NO_FILE}" }',
      '7:30 `key` must be PEM, or the path of a PEM file; its variable holds neither',
    ],
    ['{ certs: c.pem }', '7:12 unknown key `certs`: did you mean `cert`?'],
  ])('%s is refused at its place', (yaml, problem) => {
    expect(load(yaml)).toEqual({ tls: undefined, problems: [problem] })
  })

  it('names its files, so that a renewed one is noticed', () => {
    const { sources } = loaded('{ ca: ./ca.pem, cert: c.pem, key: k.pem }', 'https://erp.example/')
    expect(sources.files.map((file) => path.basename(file))).toEqual([
      'shipbell.yaml',
      '.env',
      'ca.pem',
      'c.pem',
      'k.pem',
    ])
  })

  it('never shows what a variable holds', () => {
    expect(load('{ cert: c.pem, key: "${RAW_KEY}" }').problems.join()).not.toContain(ENV.RAW_KEY)
  })

  it('is refused where the url is not https', () => {
    expect(load('{ ca: ca.pem }', 'http://127.0.0.1/').problems).toEqual(['7:5 `tls` needs a `url` with https'])
  })

  it.each([
    [
      '{ cert: expired.pem, key: expired-key.pem }',
      '7:18 warning: `cert` holds a certificate that expired on 2026-11-20: have it renewed',
    ],
    ['{ ca: later.pem }', '7:16 warning: `ca` holds a certificate that is not valid before 2026-12-01'],
  ])('%s is a warning', (yaml, warning) => {
    const { tls, problems } = load(yaml)
    expect(problems).toEqual([warning])
    expect(tls).toBeDefined()
  })
})
