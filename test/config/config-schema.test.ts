import { Ajv } from 'ajv'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { configJsonSchema } from '../../src/config/json-schema.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { ENV, EXAMPLES, leavesOf } from './examples.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

interface KeyLine {
  readonly path: string
  readonly says: string
}

type Schema = ReturnType<typeof configJsonSchema>

/** Every key, `*` standing for a name that the operator chose. */
function keysOf(schema: Schema, prefix = ''): readonly KeyLine[] {
  const parts = [schema, ...(schema.anyOf ?? [])]
  const keys = parts.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([key, child]) =>
      typeof child === 'boolean' || child.not !== undefined
        ? []
        : [{ path: `${prefix}.${key}`, says: child.description ?? '' }, ...keysOf(child, `${prefix}.${key}`)],
    ),
  )
  const named = schema.additionalProperties
  return typeof named === 'object' ? [...keys, ...keysOf(named, `${prefix}.*`)] : keys
}

const KEYS = keysOf(configJsonSchema())
const isValid = new Ajv({ strict: true, code: { optimize: false } }).compile(configJsonSchema())

describe('the table of keys', () => {
  it('says what every key is for, in one sentence', () => {
    expect(KEYS.length).toBeGreaterThan(90)
    expect(KEYS.filter(({ says }) => !/^.{10,120}\.$/.test(says))).toEqual([])
  })

  it('knows every event type once', () => {
    const types = EVENT_CATALOGUE.map(({ type }): string => type)
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([])
  })
})

describe('the examples in config/', () => {
  const files = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yaml'))

  it.each(files)('%s is valid', (name) => {
    const { config, problems } = loadConfig(name, { env: ENV, cwd: EXAMPLES })
    const unexpected = problems.map(shown).filter((each) => !each.includes('travel unencrypted over http'))
    expect(unexpected).toEqual([])
    expect(config?.accounts.length).toBeGreaterThan(0)
  })

  it.each([...files, 'conf.d/globex.yaml'])(
    '%s is valid for an editor that has the JSON Schema, before variables are replaced',
    (name) => {
      isValid(parse(readFileSync(`${EXAMPLES}/${name}`, 'utf8')))
      expect(isValid.errors).toBeNull()
    },
  )

  it('every-key.yaml names every key of the table', () => {
    const document: unknown = parse(readFileSync(`${EXAMPLES}/every-key.yaml`, 'utf8'))
    const missing = KEYS.filter(({ path }) => !reaches(document, path.slice(1).split('.')))
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  it('every-key.yaml holds the defaults', () => {
    const least = `accounts:
  acme:
    base_url: https://platform.example
    api_key: a
    shipment_id_field: platform_shipment_id
    proxy: "\${PROXY_URL}"
    tls: { ca: "\${ACME_CA}", cert: "\${ACME_CERT}", key: "\${ACME_KEY}" }
    link:
      shipment: https://platform.example/s/{id}
      tracking: https://platform.example/s/{id}/tracking
      invoice: https://platform.example/i/{id}
      document: https://platform.example/d/{id}
      purchase_order: https://platform.example/po/{id}
      location: https://platform.example/l/{id}
      order_preparation: https://platform.example/op/{id}
    watch:
      shipments: {}
      tracking: {}
      invoices: {}
      documents: {}
      purchase_orders: {}
      locations: {}
      order_preparations: { references: [OP-1] }
subscriptions:
  erp:
    url: https://erp.example/hooks
    secret: ${SECRET}
    events: ["*", account.*]
    accounts: [acme]
    where: data.shipment.freight_mode == "ocean"
    min_shift: 12h
    remind: { of: [invoice.overdue] }
    tls: { ca: "\${ERP_CA}", cert: "\${ERP_CERT}", key: "\${ERP_KEY}" }
    proxy: "\${PROXY_URL}"
    rate: { requests: 50, per: 1s }
    watermark: 1m
  pager:
    url: https://events.pagerduty.com/v2/enqueue
    events: [invoice.overdue]
    body:
      template: '{ "event_action": "trigger", "payload": { "summary": {{ text | json }} } }'
      time_zone: Europe/Paris
  tickets: { url: https://jira.example/rest/api/3/issue, events: [shipment.problem_reported], body: { file: ticket.liquid } }
  ops:
    slack: { url: "\${SLACK_URL}" }
    events: [shipment.problem_reported, invoice.overdue]
    template: ops.liquid
    time_zone: Europe/Paris
    quiet: { from: '20:00', to: '06:00' }
  shipments:
    slack: { token: "\${SLACK_BOT_TOKEN}", channel: C0123456789, signing_secret: "\${SLACK_SIGNING_SECRET}" }
    events: ["shipment.*", invoice.overdue]
  dispatch: { teams: { url: "\${TEAMS_URL}" }, events: [shipment.eta_changed] }
  planning: { google_chat: { url: "\${GOOGLE_CHAT_URL}" }, events: [shipment.rolled] }
  warehouse: { mattermost: { url: "\${MATTERMOST_URL}" }, events: [shipment.delivered] }
  customs: { rocketchat: { url: "\${ROCKETCHAT_URL}" }, events: [document.added] }
  finance:
    email: { to: [ap@example.com], from: shipbell@example.com }
    digest: { at: "08:00", time_zone: Europe/Paris }
    events: [invoice.*]
  hub: { svix: { token: "\${SVIX_TOKEN}", server: https://svix.example, app: acme }, events: ["*"] }
  portal: { pull: {}, events: ["shipment.*"] }
runtime_subscriptions: { key: "\${SHIPBELL_KEY}", allow: { accounts: [acme], hosts: ["*.example.com"] } }
smtp:
  url: \${SMTP_URL}
  proxy: "\${PROXY_URL}"
  tls: { ca: "\${SMTP_CA}", cert: "\${SMTP_CERT}", key: "\${SMTP_KEY}" }
expectations:
  packing-list:
    about: shipment
    when: shipment.status in ["booked", "in_progress"]
    by: before(shipment.main_tracking_dates.departure_date, "3d")
    until: documents.exists(d, d.type == "packing_list")
    accounts: [acme]
delivery: { alert: erp }
http:
  public_url: https://shipbell.example
  tokens:
    acme-people: { token: "\${ACME_PEOPLE_TOKEN}", accounts: [acme] }
    erp-catch-up: { token: "\${ERP_CATCH_UP_TOKEN}", subscription: erp }
ping: { url: "\${PING_URL}" }
storage: { path: ${EXAMPLES}/shipbell.db }
include: ['${EXAMPLES}/conf.d/*.yaml']
`
    const templates = ['ops.liquid', 'ticket.liquid'].map(
      (name) => [name, readFileSync(`${EXAMPLES}/${name}`)] as const,
    )
    const cwd = scratchFolder({ 'every-key.yaml': least, ...Object.fromEntries(templates) })
    const expected = loadConfig('every-key.yaml', { env: ENV, cwd }).config
    expect(expected).not.toBeNull()
    expect(loadConfig('every-key.yaml', { env: ENV, cwd: EXAMPLES }).config).toEqual(expected)
  })
})

describe('the JSON Schema', () => {
  const ACCOUNT = { base_url: 'https://p.example', api_key: 'key' }

  it.each([
    { accounts: {} },
    { accounts: { acme: { ...ACCOUNT, budget: { requests: '${REQUESTS}' } } } },
    { accounts: {}, http: false },
    { accounts: {}, storage: { url: '${DATABASE_URL}', pool: '${POOL}' } },
    { accounts: {}, log: { level: '${LEVEL:-info}' } },
    { accounts: { acme: { api_key: 'key' } } },
    { accounts: { acme: { ...ACCOUNT, settle: null } }, defaults: { account: { settle: '6h' } } },
    { include: ['conf.d/*.yaml'], defaults: { account: { budget: { requests: 30 } }, subscription: {} } },
    { subscriptions: { erp: { url: 'https://erp.example/hooks' } } },
  ])('takes %j', (document) => {
    expect(isValid(document)).toBe(true)
  })

  it.each([
    {},
    { log: {} },
    { accounts: { Acme: ACCOUNT } },
    { accounts: { acme: { ...ACCOUNT, budgt: {} } } },
    { accounts: { acme: { ...ACCOUNT, budget: { requests: 0 } } } },
    { accounts: {}, storage: { pool: 0 } },
    { accounts: {}, log: { level: 'loud' } },
    { accounts: {}, http: true },
    ...['2 parsecs', '5', '1h 30m', '-1s', '2M', 'soon', '1.5h', ''].flatMap((text) => [
      { accounts: { acme: { ...ACCOUNT, watch: { shipments: { every: text } } } } },
      { accounts: { acme: { ...ACCOUNT, timeout: text, budget: { requests: 1 } } } },
      { accounts: { acme: { ...ACCOUNT, budget: { requests: 60, per: text } } } },
      { accounts: {}, delivery: { retry: ['5s', text] } },
      { accounts: {}, retention: { payloads: text } },
    ]),
    ...['64', '64MB', '64 kB', 'much', '1.5kB'].map((text) => ({
      accounts: {},
      subscriptions: { erp: { url: 'https://e.example', secret: '${S}', events: ['*'], payload_limit: text } },
    })),
    { include: 'conf.d/*.yaml' },
    { accounts: {}, defaults: { account: { budgt: {} } } },
    { accounts: {}, defaults: { subscription: { concurrency: 0 } } },
    { accounts: {}, defaults: { subscriptions: {} } },
  ])('refuses %j', (document) => {
    expect(isValid(document)).toBe(false)
  })

  it('takes a variable wherever a text, a number or true and false may stand', () => {
    const places = leavesOf(parse(readFileSync(`${EXAMPLES}/every-key.yaml`, 'utf8')))
    expect(places.length).toBeGreaterThan(80)
    const refused = places.filter((replaced) => !isValid(replaced('${SOME:-x}')))
    expect(refused.map((replaced) => JSON.stringify(replaced('HERE')))).toEqual([])
    expect(isValid({ accounts: {}, http: '${HTTP}' })).toBe(true)
  })

  const WHOLE = { accounts: { acme: ACCOUNT } }
  const SUBSCRIPTION = { url: 'https://erp.example/hooks', secret: SECRET, events: ['*'] }
  const nulls = Object.entries({ account: 'accounts', subscription: 'subscriptions' } as const).flatMap(
    ([name, section]) => {
      const own = section === 'accounts' ? ACCOUNT : SUBSCRIPTION
      const keys = KEYS.flatMap(({ path }) => path.match(new RegExp(`^\\.${section}\\.\\*\\.(\\w+)$`))?.[1] ?? [])
      const optional = [...new Set(keys)].filter((key) => !Object.hasOwn(own, key))
      return optional.flatMap((key) => [
        [`${section}.x.${key}: null`, { ...WHOLE, [section]: { x: { ...own, [key]: null } } }],
        [`defaults.${name}.${key}: null`, { ...WHOLE, defaults: { [name]: { [key]: null } } }],
        [
          `${section}.x.${key}: null, beside a default of another key`,
          { ...WHOLE, [section]: { x: { ...own, [key]: null } }, defaults: { [name]: { timeout: '20s' } } },
        ],
      ])
    },
  )

  it('knows where null may stand, as the program does', { tags: 'long' }, () => {
    expect(nulls.length).toBeGreaterThan(60)
    const cwd = scratchFolder({})
    const differing = nulls.filter(([, document]) => {
      writeFileSync(`${cwd}/shipbell.yaml`, stringify(document))
      return isValid(document) !== (loadConfig('shipbell.yaml', { env: {}, cwd }).config !== null)
    })
    expect(differing.map(([place]) => place)).toEqual([])
  })

  it.each(['500ms', '90s', '2m', '1h30m', '7d', '${EVERY}', '${EVERY:-2m}'])('takes the duration %s', (every) => {
    expect(isValid({ accounts: { acme: { ...ACCOUNT, watch: { shipments: { every } } } } })).toBe(true)
  })

  it('knows every key as it is spelt', () => {
    const document: unknown = parse(readFileSync(`${EXAMPLES}/every-key.yaml`, 'utf8'))
    const mistyped = mistypedOf(document)
    expect(mistyped.length).toBeGreaterThan(90)
    expect(mistyped.filter((each) => isValid(each))).toEqual([])
  })

  it('holds the defaults', () => {
    expect(JSON.stringify(configJsonSchema())).toContain('"default":"${SHIPBELL_TOKEN:-}"')
  })
})

function reaches(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, child]) => (step === '*' || key === step) && reaches(child, rest))
}

/** The document with each of its keys mistyped, but for names that the operator chose. */
function mistypedOf(value: unknown, names = false): readonly unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const { [key]: _, ...others } = Object.fromEntries(Object.entries(value))
    const below = mistypedOf(child, ['accounts', 'subscriptions', 'expectations', 'headers', 'tokens'].includes(key))
    return [...(names ? [] : [{ ...others, [`${key}x`]: child }]), ...below.map((each) => ({ ...value, [key]: each }))]
  })
}
