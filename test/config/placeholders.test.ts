import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

function warnings({ key = 'pk_live_51Hf83jd', url = 'https://p.example', more = '' }): string {
  const account = { base_url: url, api_key: key, watch: { shipments: {} } }
  const lines = [`accounts: { acme: ${JSON.stringify(account)} }`, more]
  const cwd = scratchFolder({ 'shipbell.yaml': lines.join('\n') })
  const { problems } = loadConfig('shipbell.yaml', { env: { KEY: 'changeme' }, cwd })
  return problems.map(shown).join('\n')
}

const PLACEHOLDERS =
  'your-api-key YOUR_API_KEY <key> {api_key} [token] changeme change-me CHANGE_ME xxx XXXXXXXX xxxx-xxxx-xxxx *** ... todo TBD placeholder my-api-key insert-key-here replace_me ReplaceThis api-key APIKEY ACME_API_KEY $ACME_API_KEY secret example-key put_your_token_here'

describe('a placeholder is warned of', () => {
  test.each(PLACEHOLDERS.split(' '))('as a key: %s', (key) => {
    expect(warnings({ key })).toContain('1:61 warning: `api_key` looks like a placeholder: put the real value there')
  })

  test.each(['${KEY}'])('from a variable: %s', (key) => {
    expect(warnings({ key })).toContain('`api_key` looks like a placeholder')
    expect(warnings({ key })).not.toContain('changeme')
  })

  test('in an address and a token of the admin interface', () => {
    const slack = 'slack: { url: https://hooks.slack.com/services/XXX/YYY/ZZZ }, events: ["*", account.*]'
    const more = `subscriptions: { ops: { ${slack} } }\nhttp: { token: changeme-please-now }\n`
    expect(warnings({ more })).toContain('2:39 warning: `url` looks like a placeholder')
    expect(warnings({ more })).toContain('3:16 warning: `token` looks like a placeholder')
  })

  test.each([
    'top-secret-key',
    'key',
    'k',
    'pk_test_4eC39HqLyjWDarjtT1zdp7dc',
    'sandbox',
    'a1b2c3',
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
    'myspace9',
  ])('and %s is none', (key) => {
    const more = `subscriptions: { erp: { url: https://erp.example/hooks/my-erp, secret: ${SECRET}, events: [account.*] } }`
    expect(warnings({ key, more })).not.toContain('placeholder')
  })
})

describe('the version in `base_url`', () => {
  test.each([
    'https://p.example/v1',
    'https://p.example/v1/',
    'https://p.example/api/V2',
    'https://p.example/v1/shipments',
  ])('is warned of: %s', (url) => {
    expect(warnings({ url })).toContain('warning: `base_url` has the version of the interface at its end')
  })

  test.each(['https://p.example', 'https://p.example/v1-proxy', 'https://v1.example/api'])('is not in %s', (url) => {
    expect(warnings({ url })).not.toContain('version')
  })
})
