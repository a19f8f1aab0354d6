import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import { issueCertificate } from '../support/certificate.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

const FILES = { 'a.liquid': '{{ it }}', 'ca.pem': issueCertificate({ name: 'customer' }).cert }

function load(yaml: string) {
  const cwd = scratchFolder({ ...FILES, 'shipbell.yaml': yaml })
  const { config, problems } = loadConfig('shipbell.yaml', { env: { SECRET }, cwd })
  return {
    config,
    says: problems.map(shown),
    errors: problems.filter(({ severity }) => severity === 'error').map(shown),
  }
}

/** Two accounts and no more than what is given. */
function withDefaults(defaults: string, rest = 'accounts: { a: {}, b: {} }') {
  return load(`defaults: ${defaults}\n${rest}\n`)
}

const ACCOUNT = 'base_url: "https://p.example", api_key: k'
const WEBHOOK = 'url: "https://e.example/", secret: "${SECRET}"'

function subscriptions(defaults: string, given: string): readonly Subscription[] {
  const { config, errors } = withDefaults(
    `{ account: { ${ACCOUNT} }, subscription: ${defaults} }`,
    `accounts: { a: {} }\nsmtp: smtps://mail.example\nsubscriptions: ${given}`,
  )
  expect(errors).toEqual([])
  return config?.subscriptions ?? []
}

/** Two who take a template by default, the second with these events. */
function given(events: string): string {
  return `{ account: { ${ACCOUNT} }, subscription: { template: { 'invoice.*': a.liquid }, slack: { url: "https://s.example/x" } } }
accounts: { a: {} }
subscriptions: { one: { events: ["shipment.*"] }, two: { events: [${events}] } }`
}

describe('a default', () => {
  it('holds where an account leaves its key out, required ones too', () => {
    const { config, errors } = withDefaults(
      `{ account: { ${ACCOUNT}, budget: { requests: 7 }, time_zone: Asia/Kolkata } }`,
      'accounts: { a: {}, b: { api_key: own, budget: { per: 1s } } }',
    )
    expect(errors).toEqual([])
    expect(config?.accounts.map(({ apiKey, timeZone, budget }) => [apiKey, timeZone, budget])).toEqual([
      ['k', 'Asia/Kolkata', { requests: 7, perMs: 60_000, concurrency: 4, share: 1 }],
      // A whole key: nothing of the default budget is left.
      ['own', 'Asia/Kolkata', { requests: 60, perMs: 1_000, concurrency: 4, share: 1 }],
    ])
  })

  it('holds where a subscription leaves its key out, required ones too', () => {
    const [erp, tms] = subscriptions(
      `{ ${WEBHOOK}, events: ["invoice.*"], order: subject }`,
      '{ erp: {}, tms: { events: ["shipment.*"], order: none } }',
    )
    expect([erp?.events, erp?.order, erp?.channel.kind]).toEqual([['invoice.*'], 'subject', 'webhook'])
    expect([tms?.events, tms?.order, tms?.channel.kind]).toEqual([['shipment.*'], 'none', 'webhook'])
  })

  it('of a channel gives way to the one that a subscription has', () => {
    const found = subscriptions(
      `{ ${WEBHOOK}, headers: { X-Team: all }, tls: { ca: ca.pem }, concurrency: 8, events: ["*"] }`,
      '{ erp: {}, own: { url: "https://own.example/" }, ops: { slack: { url: "https://s.example/x" } } }',
    )
    expect(found.map(({ channel }) => channel.kind)).toEqual(['webhook', 'webhook', 'slack'])
    expect(found[1]?.channel).toMatchObject({
      url: 'https://own.example/',
      headers: { 'X-Team': 'all' },
      concurrency: 8,
    })
  })

  it('that means something for some channels is for these', () => {
    const found = subscriptions(
      '{ template: a.liquid, secret: "${SECRET}", digest: { at: "08:00" }, events: ["*"] }',
      `{ erp: { url: "https://e.example/" }, ops: { slack: { url: "https://s.example/x" } },
         mail: { email: { to: [a@x.example], from: b@x.example } } }`,
    )
    expect(found.map(({ channel }) => channel.kind)).toEqual(['webhook', 'slack', 'email'])
    expect(found.map(({ channel }) => 'templates' in channel && channel.templates.size > 0)).toEqual([
      false,
      true,
      true,
    ])
  })

  it('is not taken where `null` is written', () => {
    const [erp] = subscriptions(`{ ${WEBHOOK}, events: ["*"], min_shift: 12h }`, '{ erp: { min_shift: null } }')
    expect(erp?.minShiftMs).toBeNull()
    const [tms] = subscriptions(`{ ${WEBHOOK}, events: ["*"], timeout: 1s }`, '{ tms: { timeout: ~ } }')
    expect(tms?.channel).toMatchObject({ timeoutMs: 15_000 })
  })

  it('is not lost to a key without a value: it may be an unfinished edit', () => {
    const yaml = `accounts: { a: { ${ACCOUNT} } }
defaults: { subscription: { where: data.days_left < 3.0 } }
subscriptions:
  erp:
    ${WEBHOOK.replace(', ', '\n    ')}
    events: ["*"]
    where:
`
    expect(load(yaml).errors).toEqual(['8:5 `where` has no value: give it one, or remove the line'])
  })

  it.each([
    [
      '{ account: { base_url: nowhere, api_key: k } }',
      '1:34 `base_url` must be a URL such as https://erp.example/hooks',
    ],
    [
      '{ account: { api_key: k, base_url: "https://p.example", settle: ${NOT_SET} } }',
      'the variable NOT_SET is not set',
    ],
    [`{ account: { ${ACCOUNT}, watch: { tracking: {} } } }`, '`tracking` needs `shipments`'],
    [`{ account: { ${ACCOUNT} }, subscription: { slack: { url: x } } }`, '`url` must be a URL'],
    [`{ account: { ${ACCOUNT} }, subscription: { tls: { ca: none.pem } } }`, '`ca` cannot be had: the file none.pem'],
    [`{ account: { ${ACCOUNT} }, subscription: { template: none.liquid } }`, '`template` cannot be had'],
    [`{ account: { ${ACCOUNT} }, subscription: { where: "1 +" } }`, '`where` cannot be used'],
    [`{ account: { ${ACCOUNT}, bugdet: {} } }`, 'unknown key `bugdet`: did you mean `budget`?'],
    [`{ account: { ${ACCOUNT} }, subscription: { ${WEBHOOK}, slack: {} } }`, '`url` and `slack` exclude each other'],
    [`{ acount: {} }`, 'unknown key `acount`: did you mean `account`?'],
  ])('of %s is refused at its place', (defaults, expected) => {
    const { errors } = withDefaults(defaults, `accounts: { a: { ${ACCOUNT} } }`)
    expect(errors).toContainEqual(expect.stringContaining(expected))
    expect(errors.every((line) => line.startsWith('1:'))).toBe(true)
  })

  it('that is wrong is reported once, however many take it', () => {
    const many = Array.from({ length: 50 }, (_, index) => `  c${index}: {}`).join('\n')
    const { errors } = withDefaults(
      '{ account: { base_url: "ftp://x", api_key: k, watch: { order_preparations: [] } } }',
      `accounts:\n${many}`,
    )
    expect(errors).toEqual([
      '1:34 `base_url` must start with https:// or http://',
      '1:86 `order_preparations` must be a mapping with keys such as every, references, weight',
    ])
  })

  it('that travels unencrypted is one warning, however many take it', () => {
    const { says } = withDefaults(
      '{ account: { base_url: "http://p.example", api_key: k, watch: { shipments: {} } } }',
      `accounts: { ${Array.from({ length: 30 }, (_, index) => `c${index}: {}`).join(', ')} }`,
    )
    expect(says.filter((line) => line.includes('unencrypted'))).toEqual([
      expect.stringMatching(/^1:34 warning: the API keys of c0, c1, .* c11 and 18 more travel unencrypted: use https$/),
    ])
  })

  it('that breaks a rule with a key of a subscription is reported there', () => {
    const { errors } = withDefaults(
      `{ account: { ${ACCOUNT} }, subscription: { tls: { ca: ca.pem }, secret: "\${SECRET}", events: ["*"] } }`,
      'accounts: { a: {} }\nsubscriptions:\n  erp: { url: "http://e.example" }',
    )
    expect(errors).toEqual(['4:3 `tls` needs a `url` with https (`tls` is from `defaults`; `tls: null` takes none)'])
  })

  it('of a template is tried on the events of all who take it', () => {
    expect(withDefaults(given('"invoice.*"'), '').errors).toEqual([])
    expect(withDefaults(given('"document.*"'), '').errors).toEqual([
      expect.stringContaining('`invoice.*`: the subscription hears no event that it would tell'),
    ])
  })

  it('leaves what is missing to each who lacks it', () => {
    expect(withDefaults('{ account: { api_key: k } }', 'accounts:\n  a: {}\n  b: {}').errors).toEqual([
      '3:3 `base_url` is missing in `a`',
      '4:3 `base_url` is missing in `b`',
    ])
  })
})
