import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadConfig, type LoadedConfig } from '../../src/config/load-config.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'

const FILES = {
  'a.liquid': 'A {{ it }}\n',
  'b.liquid': 'B {{ it }}',
  'eta.liquid': '{{ it }}\nETA {{ data.date_change.to | moment }}',
  'misspelt.liquid': 'Hello\n\n  now {{ data.shipmnt.name }}',
  'filter.liquid': '{{ it | shout }}',
  'syntax.liquid': '{{ it }}\n{% if it %}',
  'include.liquid': '{% include "a.liquid" %}',
  'render.liquid': '{% render "a.liquid" %}',
  'layout.liquid': '{% layout "a.liquid" %}',
  'raw.liquid': '{{ it | raw }}',
  'nothing.liquid': '{% if false %}{{ it }}{% endif %}  \n ',
  'slow.liquid':
    '{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}{{ c }}{% endfor %}{% endfor %}{% endfor %}',
  'binary.liquid': new Uint8Array([0xff, 0xfe]),
  'long.liquid': 'x'.repeat(100_001),
  'loud.liquid': '{% for a in (1..5000) %}{{ "a line of twenty ones" }}{% endfor %}',
}
const ENV = { TEMPLATE: 'a.liquid', NOWHERE: 'secret.liquid', WRONG: 'misspelt.liquid' }

interface Asked {
  readonly channel?: string
  readonly events?: string
  readonly more?: string
}

function load(template: string, asked: Asked = {}, files = FILES): LoadedConfig {
  const {
    channel = 'slack: { url: https://hooks.slack.example/T/B/x }',
    events = '[shipment.created]',
    more = '',
  } = asked
  const yaml = `accounts: { acme: { base_url: "https://p.example", api_key: k, watch: { shipments: {} } } }
subscriptions:
  ops:
    ${channel}
    events: ${events}
    template: ${template}
smtp: smtps://mail.example
${more}`
  const cwd = scratchFolder({ ...files, 'shipbell.yaml': yaml })
  return loadConfig('shipbell.yaml', { env: ENV, cwd, clock: new FakeClock() })
}

function problems(template: string, asked: Asked = {}): readonly string[] {
  return load(template, asked)
    .problems.filter(({ severity }) => severity === 'error')
    .map(shown)
}

/** Which file tells which type. */
function files(loaded: LoadedConfig): Readonly<Record<string, string>> {
  const channel = loaded.config?.subscriptions[0]?.channel
  const templates = channel !== undefined && 'templates' in channel ? channel.templates : new Map()
  return Object.fromEntries([...templates].map(([type, { file }]) => [type, file]))
}

/** The channels that people read. */
const PEOPLES = '`slack`, `teams`, `google_chat`, `mattermost`, `rocketchat` and `email`'

describe('template', () => {
  it('of one file tells every event that the subscription hears', () => {
    expect(files(load('a.liquid', { events: '[document.added, endpoint.failing]' }))).toEqual({
      'document.added': 'a.liquid',
      'endpoint.failing': 'a.liquid',
    })
  })

  it('may be the template of a mail, and come from a variable', () => {
    const channel = 'email: { to: [ap@example.com], from: shipbell@example.com }'
    expect(files(load('${TEMPLATE}', { channel }))).toEqual({ 'shipment.created': 'template' })
  })

  it.each(['teams', 'google_chat', 'mattermost', 'rocketchat'])('may be the template of a message in %s', (kind) => {
    const channel = `${kind}: { url: https://chat.example/T/B/x }`
    expect(files(load('a.liquid', { channel }))).toEqual({ 'shipment.created': 'a.liquid' })
  })

  it('tells also what an alert hears', () => {
    const heard = files(load('a.liquid', { more: 'delivery: { alert: ops }' }))
    expect(Object.keys(heard)).toEqual(
      expect.arrayContaining(['shipment.created', 'account.unreachable', 'endpoint.failing']),
    )
    expect(Object.keys(heard)).not.toContain('account.baseline_completed')
  })

  it('is by the most specific pattern where there are several, and the built-in message where none fits', () => {
    const mapping = '{ "*": a.liquid, "shipment.*": b.liquid, shipment.eta_changed: eta.liquid }'
    const events = '[shipment.created, shipment.eta_changed, document.added, account.recovered]'
    expect(files(load(mapping, { events }))).toEqual({
      'document.added': 'a.liquid',
      'shipment.created': 'b.liquid',
      'shipment.eta_changed': 'eta.liquid',
    })
  })

  it.each([
    [
      'misspelt.liquid',
      ['6:15 `template` cannot be used: misspelt.liquid:3:10: undefined variable: data.shipmnt (shipment.created)'],
    ],
    ['filter.liquid', ['6:15 `template` cannot be used: filter.liquid:1:1: undefined filter: shout']],
    ['syntax.liquid', ['6:15 `template` cannot be used: syntax.liquid:2:1: tag {% if it %} not closed']],
    ['include.liquid', ['6:15 `template` cannot be used: include.liquid:1:1: tag "include" not found']],
    ['render.liquid', ['6:15 `template` cannot be used: render.liquid:1:1: tag "render" not found']],
    ['layout.liquid', ['6:15 `template` cannot be used: layout.liquid:1:1: tag "layout" not found']],
    ['raw.liquid', ['6:15 `template` cannot be used: raw.liquid:1:1: undefined filter: raw']],
    ['nothing.liquid', ['6:15 `template` cannot be used: nothing.liquid:1:1: it renders nothing (shipment.created)']],
    ['long.liquid', ['6:15 `template` cannot be used: long.liquid:1:1: it is longer than 100000 characters']],
    [
      'loud.liquid',
      ['6:15 `template` cannot be used: loud.liquid:1:1: it renders more than 100000 characters (shipment.created)'],
    ],
    [
      'gone.liquid',
      [
        '6:15 `template` cannot be had: the file gone.liquid cannot be read (ENOENT): mend the path, relative to the configuration',
      ],
    ],
    ['binary.liquid', ['6:15 `template` cannot be had: the file binary.liquid is not UTF-8 text']],
    ['${NOWHERE}', ['6:15 `template` cannot be had: its variable names no file that can be read as UTF-8 text']],
    [
      '${WRONG}',
      ['6:15 `template` cannot be used: its file:3:10: undefined variable: data.shipmnt (shipment.created)'],
    ],
    ['7', ['6:15 `template` must be text: put it in quotes']],
    ['{}', ['6:15 `template` names no file: write `template: FILE`, or remove the line']],
    [
      '{ shipment.created: a.liquid, invoice.due: b.liquid }',
      ['6:45 `invoice.due`: the subscription hears no event that it would tell; mend `events`, or remove it'],
    ],
    [
      '{ shipment.creted: a.liquid }',
      ['6:17 `template` names no event type with `shipment.creted`: did you mean `shipment.created`?'],
    ],
    [
      '{ shipment.created: misspelt.liquid }',
      [
        '6:35 `shipment.created` cannot be used: misspelt.liquid:3:10: undefined variable: data.shipmnt (shipment.created)',
      ],
    ],
  ])('%s is told where it stands, and where it is wrong', (template, found) => {
    expect(problems(template)).toEqual(found)
  })

  it('is tried on every type that the subscription hears, each problem once', () => {
    expect(problems('eta.liquid', { events: '[shipment.eta_changed, shipment.created, shipment.removed]' })).toEqual([
      '6:15 `template` cannot be used: eta.liquid:2:8: undefined variable: data.date_change (shipment.created and 1 more type)',
    ])
  })

  it('that never ends is stopped, whatever the number of types', { tags: 'long' }, () => {
    const [problem] = problems('slow.liquid', { events: '["*"]' })
    expect(problem).toMatch(
      /^6:15 `template` cannot be used: slow\.liquid:1:\d+: .* limit exceeded \(shipment\.created\)$/,
    )
  })

  it.each([
    ['url: https://erp.example/', `secret: ${SECRET}`],
    ['svix: { token: t, server: https://svix.example, app: a }', ''],
  ])('belongs to channels that people read, not to %s', (channel, secret) => {
    const kind = channel.slice(0, channel.indexOf(':'))
    const separator = secret === '' ? '' : '\n    '
    expect(problems('a.liquid', { channel: `${channel}${separator}${secret}` })).toEqual([
      `${secret === '' ? 6 : 7}:5 \`template\` belongs to ${PEOPLES}, not to \`${kind}\``,
    ])
  })

  it('is followed by a reload, and is the same while file and text are', () => {
    const yaml = 'shipbell.yaml'
    const first = load('a.liquid')
    const cwd = path.dirname(first.sources.files[0] ?? '')
    const again = () => loadConfig(yaml, { env: ENV, cwd, clock: new FakeClock() })
    expect(first.sources.files).toContain(path.join(cwd, 'a.liquid'))
    const [before, same] = [first, again()].map(({ config }) => config?.subscriptions[0]?.channel)
    expect(isDeepStrictEqual(before, same)).toBe(true)
    writeFileSync(path.join(cwd, 'a.liquid'), 'Changed {{ it }}')
    expect(isDeepStrictEqual(before, again().config?.subscriptions[0]?.channel)).toBe(false)
  })
})
