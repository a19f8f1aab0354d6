import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { bodyProblems } from '../../src/config/bodies.ts'
import type { ConfigNode } from '../../src/config/config-node.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { SubscriptionStart, WebhookChannel } from '../../src/model/subscription.ts'
import { subscription } from '../support/subscription.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

const FILES = {
  'good.liquid': '{ "a":\n {{ text | json }} }',
  'bad.liquid': '{ "a":\n {{ text }} }',
  'syntax.liquid': '{\n {{ text | shout }} }',
}
const HERE = { file: 'shipbell.yaml', line: 1, column: 1 }
const ENV = { KEY: 'R0UT1NG-KEY', SECRET, FILE: 'good.liquid' }

/** `about`: the keys of the subscription beside its url and events. */
function load(about: string, { defaults = '{}', events = '[invoice.overdue]' } = {}) {
  const yaml = `accounts: { acme: { base_url: "https://p.example", api_key: k, watch: { invoices: {}, shipments: {} } } }
defaults: { subscription: ${defaults} }
subscriptions:
  pager:
    url: https://events.example/v2
    events: ${events}
${about.replaceAll(/^/gm, '    ')}
`
  const cwd = scratchFolder({ ...FILES, 'shipbell.yaml': yaml })
  const { config, problems } = loadConfig('shipbell.yaml', { env: ENV, cwd })
  const channel = config?.subscriptions[0]?.channel
  return {
    channel: channel?.kind === 'webhook' ? channel : null,
    errors: problems.filter(({ severity }) => severity === 'error').map(shown),
    warnings: problems.map(shown).filter((line) => line.includes('no event of this subscription has it')),
  }
}

function loaded(about: string, more: Parameters<typeof load>[1] = {}): WebhookChannel {
  const { channel, errors } = load(about, more)
  expect(errors).toEqual([])
  if (channel === null) throw new Error('There is no webhook.')
  return channel
}

const GOOD = `body: { template: '{ "a": {{ text | json }} }' }`
const NO_MORE = 'put it out by the filter `json`, which brings its own quotation marks'

test('a body needs no secret, and says how it is sent', () => {
  expect(loaded(GOOD)).toMatchObject({
    secrets: [],
    body: { contentType: 'application/json', method: 'POST', language: 'en', timeZone: null, template: { file: null } },
  })
  const about = 'body: { file: good.liquid, content_type: "text/plain; charset=utf-8", method: PUT }\nlanguage: fr'
  expect(loaded(`${about}\nsecret: \${SECRET}`)).toMatchObject({
    secrets: [SECRET],
    body: { method: 'PUT', language: 'fr', template: { file: 'good.liquid', isJson: false } },
  })
  const own = loaded('body: { file: "${FILE}", language: de, time_zone: Asia/Tokyo }\nlanguage: fr\ntime_zone: UTC')
  expect(own.body).toMatchObject({ language: 'de', timeZone: 'Asia/Tokyo', template: { file: 'its file' } })
})

test('what its template has of variables is hidden', () => {
  expect(loaded(`body: { template: '{ "routing_key": "\${KEY}" }' }`).hidden).toContain('R0UT1NG-KEY')
})

test('two of the same text are the same, and another text is another', () => {
  expect(isDeepStrictEqual(loaded(GOOD), loaded(GOOD))).toBe(true)
  expect(isDeepStrictEqual(loaded(GOOD), loaded(GOOD.replace('"a"', '"b"')))).toBe(false)
})

const WRONG: readonly (readonly [string, string | RegExp, string?])[] = [
  ['body: {}', '7:5 `body` needs a `template`, or the `file` that holds it'],
  ['body: { template: x, file: good.liquid }', '7:26 `template` and `file` of `body` exclude each other'],
  ['body: { template: "1", method: GET }', '7:36 `method` must be one of POST, PUT, PATCH'],
  ['body: { template: "1", content_type: json }', /^7:42 `content_type` must be a media type such as/],
  ['body: { template: "1", content_type: "a/b\\r\\nx: y" }', /^7:42 `content_type` must be a media type such as/],
  ['body: { template: "1", methd: PUT }', '7:28 unknown key `methd`: did you mean `method`?'],
  ...['payload: full', 'payload_limit: 64kB', 'format: standard', 'source: /a', 'watermark: 1m'].map(
    (other) =>
      [
        `${GOOD}\n${other}`,
        `8:5 \`${other.split(':')[0]}\` is not for \`body\`: what is sent is what its template says`,
      ] as const,
  ),
  [`${GOOD}\ntemplate: good.liquid`, /^8:5 `template` belongs to `slack`/],
  ['secret: ${SECRET}\nlanguage: fr', /^8:5 `language` belongs to `slack`.* not to `url`$/],
  ['body: { file: no.liquid }', /^7:19 `file` cannot be had: the file no.liquid cannot be read/],
  ['body: { file: syntax.liquid }', '7:19 `file` cannot be used: syntax.liquid:2:2: undefined filter: shout'],
  [
    `body: { template: '{ {{ text | shout }} }' }`,
    '7:26 `template` cannot be used: template:1:3: undefined filter: shout',
  ],
  [
    'body: { file: bad.liquid }',
    '7:19 `file` cannot be used: bad.liquid:1:1: what it renders is no JSON: at line 2, column 2 of that there stands "I" (invoice.overdue)',
  ],
  [
    `body: { template: '{ "a": "{{ data }}" }' }`,
    `7:32 \`template\` cannot be used: template:1:9: a value holds a quotation mark: ${NO_MORE} (invoice.due and 2 more types)`,
    '[invoice.due, invoice.overdue, account.paused]',
  ],
]
test.each(WRONG.map(([about, message, events]) => ({ about, message, events })))(
  '$about is an error',
  ({ about, events, message }) => {
    const { errors } = load(about, events === undefined ? {} : { events })
    expect(errors).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)])
  },
)

test('one mistake that shows in many ways is told three times, those of most types first', () => {
  const about = `body: { template: '{ "a": {{ type }} }' }`
  const { errors } = load(about, { events: '["*"]' })
  expect(errors).toHaveLength(3)
  expect(errors[2]).toMatch(/; samples of \d+ more types fail in other ways$/)
})

test('defaults that do not go with a body are none for it, and a body may be a default', () => {
  const defaults =
    '{ payload: thin, format: cloudevents, source: /x, payload_limit: 64kB, watermark: 1m, language: nl }'
  expect(loaded(GOOD, { defaults })).toMatchObject({ payload: 'full', format: 'standard', body: { language: 'nl' } })
  const body = { defaults: `{ ${GOOD}, payload: thin }` }
  expect(loaded('', body)).toMatchObject({ payload: 'full', body: { method: 'POST' } })
  const without = loaded('body: null\nsecret: ${SECRET}', body)
  expect([without.payload, without.body]).toEqual(['thin', undefined])
})

test('what is left out of records is left out of samples, too', () => {
  const about = `body: { template: '{ "a": {{ data.object.number | size | at_least: 1 }}{% if data.object.number == nil %}{% else %}x{% endif %} }' }`
  expect(load(about).errors).toHaveLength(1)
  expect(load(`${about}\nomit: [/number]`).errors).toEqual([])
})

test('what no sample has is warned of, and not what one of them has', () => {
  const warned = (variable: string, events?: string): readonly string[] =>
    load(`body: { template: '[{{ ${variable} | json }}]' }`, events === undefined ? {} : { events }).warnings
  expect(warned('data.obect.number')).toEqual([
    '7:28 warning: `template`: template:1:5: undefined variable: data.obect: no event of this subscription has it',
  ])
  for (const variable of ['data.object.number', 'delivery.position', 'severity', 'data.nope | default: 1'])
    expect(warned(variable)).toEqual([])
  const either = '[invoice.overdue, shipment.eta_changed]'
  expect(warned('data.date_change.to', either)).toEqual([])
  expect(warned('data.date_change.too', either)).toEqual([])
  expect(load(`body: { template: '[{{ data.object.number | json }}]' }\nomit: [/number]`).warnings).toHaveLength(1)
})

test.each([
  `'{ "k": "{{ "\${KEY}" }'`,
  `'{ "k": {{ "\${KEY}" | \${KEY} }} }'`,
  `'{% \${KEY} %}'`,
  `'{ "k": {{ \${KEY}.x | json }} }'`,
])('no value of a variable is shown: %s', (template) => {
  const { errors, warnings } = load(`body: { template: ${template} }`)
  expect([...errors, ...warnings]).toHaveLength(1)
  expect([...errors, ...warnings].join('')).not.toMatch(/R0UT|1NG-|KEY/)
})

test('who is first sent every record has its body tried on those, too', () => {
  const source = '{ "a": {% if cause == "snapshot" %}oops{% else %}1{% endif %} }'
  const channel = loaded(`body: { template: '${source}' }`)
  const root: ConfigNode = { kind: 'map', at: HERE, keyAt: HERE, children: new Map() }
  const of = (start: SubscriptionStart) =>
    bodyProblems([subscription('erp', { channel, start, events: ['invoice.overdue', 'location.*'] })], root)
  expect(of('live')).toEqual([])
  expect(of('snapshot').map(({ message }) => message)).toEqual([
    expect.stringMatching(/no JSON.*\(invoice\.snapshot and 1 more type\)$/),
  ])
})
