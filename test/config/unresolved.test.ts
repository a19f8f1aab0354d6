import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { targetOf } from '../../src/config/unresolved.ts'
import { scratchFolder, shown } from './scratch.ts'

function load(text: string, env: Readonly<Record<string, string>> = {}, files: Readonly<Record<string, string>> = {}) {
  const cwd = scratchFolder({ 'shipbell.yaml': text, ...files })
  return loadConfig('shipbell.yaml', { env, cwd, withoutSecrets: true, withoutWarnings: true })
}

const ACCOUNT = `accounts:
  acme: { base_url: "\${BASE}", api_key: "\${KEY}", proxy: "\${PROXY}", tls: { ca: ca.pem, cert: "\${CERT}", key: k.pem } }
`

/** Where the events of `erp` go. */
function target(text: string, env = {}): string {
  const { root, problems } = load(`${ACCOUNT}${text}`, env)
  if (root === null) throw new Error(problems.map(shown).join())
  return targetOf(root, 'erp')
}

function mail(to: string): string {
  return `smtp: smtp://mail.example
subscriptions: { erp: { email: { to: [${to}], from: s@x.example }, events: ["*"] } }
`
}

function hook(url: string): string {
  return `subscriptions: { erp: { url: "${url}", secret: "\${S}", events: ["*"] } }\n`
}

const WHOLE = `${ACCOUNT}subscriptions:
  erp: { url: "https://erp.example/\${PART}", secret: ["\${NEW_SECRET}", "\${file:/run/secrets/old}"], events: ["*"], headers: { Authorization: "Bearer \${TOKEN}" }, tls: { ca: none.pem } }
  ops: { slack: { token: "\${BOT}", channel: "\${CHANNEL}", live: true, signing_secret: "\${SIGNED}" }, events: ["*"] }
  chat: { teams: { url: "\${TEAMS}" }, events: ["\${TYPES:-shipment.*}"] }
  mail: { email: { to: ["\${TO}"], from: "\${FROM}" }, events: ["invoice.*"] }
  hub: { svix: { token: "\${SVIX}", server: "\${SERVER}", app: "\${APP}" }, events: ["*"] }
smtp: "\${SMTP_URL}"
storage: { url: "\${DATABASE_URL}" }
retention: { payloads: "\${PAYLOADS}" }
ping: { url: "\${PING}" }
http: { listen: 0.0.0.0:8484, token: "\${A:-}", viewer_token: "\${B:-}", tokens: { erp: { token: "\${C}", subscription: erp }, all: { token: "\${D}", accounts: [acme] } } }
runtime_subscriptions: { key: "\${RUNTIME}" }
`

describe('a configuration without its secrets', () => {
  it('is whole, whatever is not set, and reads no secret file', () => {
    const { config, problems } = load(WHOLE)
    expect(problems.map(shown)).toEqual([])
    expect(config?.subscriptions.map(({ events, name }) => [name, events])).toEqual([
      ['erp', ['*']],
      ['ops', ['*']],
      ['chat', ['shipment.*']],
      ['mail', ['invoice.*']],
      ['hub', ['*']],
    ])
  })

  it('is the same where the secrets are at hand', () => {
    const env = { BASE: 'https://p.example', KEY: 'k', PART: 'x', TEAMS: 'https://t.example/y', TO: 'a@b.example' }
    const subscriptions = load(WHOLE, env).config?.subscriptions
    expect(subscriptions).toHaveLength(5)
    expect(subscriptions).toEqual(load(WHOLE).config?.subscriptions)
  })

  it('names what decides what is sent and has no value, and every other mistake', () => {
    const { config, problems } = load(`${ACCOUNT}subscriptions:
  erp: { url: "\${URL}", secret: "\${S}", events: ["*"], where: "\${WHERE}", timeot: 3s }
  ops: { slack: { url: "\${URL}" }, events: ["shipment.*"], min_shift: "\${SHIFT}" }
delivery: { alert: "\${ALERT}" }
`)
    expect(config).toBeNull()
    expect(problems.map(shown)).toEqual([
      '4:63 `where` decides what is sent, and `${WHERE}` in it has no value: set it',
      '4:75 unknown key `timeot`: did you mean `timeout`?',
      '5:71 `min_shift` decides what is sent, and `${SHIFT}` in it has no value: set it',
      '6:20 `alert` decides what is sent, and `${ALERT}` in it has no value: set it',
    ])
  })

  it('takes what decides what is sent from where it is set', () => {
    const text = `${ACCOUNT}subscriptions:
  erp: { url: "\${URL}", secret: "\${S}", events: ["*"], where: "\${file:where.cel}", min_shift: "\${SHIFT}" }
`
    const [erp] = load(text, { SHIFT: '12h' }, { 'where.cel': 'type == "invoice.due"\n' }).config?.subscriptions ?? []
    expect([erp?.filter?.expression, erp?.minShiftMs]).toEqual(['type == "invoice.due"', 43_200_000])
  })

  it('says where events go as it is written, with the defaults', () => {
    expect(target(hook('${ERP}'), { ERP: 'https://a.example' })).toBe(target(hook('${ERP}')))
    expect(target(hook('${ERP}'))).not.toBe(target(hook('${OTHER}')))
    expect(target(hook('https://a.example/${KEY}'))).not.toBe(target(hook('https://b.example/${KEY}')))
    const byDefault = `defaults: { subscription: { url: "\${ERP}" } }
subscriptions: { erp: { secret: "\${S}", events: ["*"] } }
`
    expect(target(byDefault)).toBe(target(hook('${ERP}')))
  })

  it('takes recipients in another order for the same place', () => {
    expect(target(mail('a@x.example, b@x.example'))).toBe(target(mail('b@x.example, a@x.example')))
    expect(target(mail('a@x.example, b@x.example'))).not.toBe(target(mail('a@x.example')))
  })

  it('still refuses a reference that is none, and a file that is missing or empty', () => {
    expect(load(`${ACCOUNT}ping: { url: "\${9}" }\n`).problems.map(shown)).toEqual([
      '3:14 `${…}` must hold VAR, VAR:-default or file:PATH; write `$$` for a dollar',
    ])
    expect(load('').problems.map(shown)).toEqual(['1:1 the file is empty: `shipbell init` writes one to start from'])
    expect(() => loadConfig(path.join('/nowhere', 'x.yaml'), { env: {}, cwd: '/', withoutSecrets: true })).toThrow(
      'There is no configuration',
    )
  })
})
