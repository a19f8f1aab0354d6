import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import type { ChannelSettings } from '../../src/model/subscription.ts'
import { scratchFolder, shown } from './scratch.ts'

const CHANNELS = {
  slack: 'slack: { url: https://hooks.example/x }',
  teams: 'teams: { url: https://hooks.example/x }',
  google_chat: 'google_chat: { url: https://hooks.example/x }',
  mattermost: 'mattermost: { url: https://hooks.example/x }',
  rocketchat: 'rocketchat: { url: https://hooks.example/x }',
  email: 'email: { to: [a@example.com], from: b@example.com }',
  url: 'url: https://erp.example/hooks, secret: whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz',
  svix: 'svix: { token: t, server: https://svix.example, app: acme }',
}

function load(channel: keyof typeof CHANNELS, keys: string) {
  const file = `accounts: { acme: { base_url: https://platform.example, api_key: k, watch: { shipments: {} } } }
smtp: smtp://127.0.0.1:1
subscriptions:
  ops: { ${CHANNELS[channel]}, events: ["*"], ${keys} }
`
  const { config, problems } = loadConfig('shipbell.yaml', { env: {}, cwd: scratchFolder({ 'shipbell.yaml': file }) })
  const settings: ChannelSettings | undefined = config?.subscriptions[0]?.channel
  return { settings, problems: problems.filter(({ severity }) => severity === 'error').map(shown) }
}

describe.each(['slack', 'teams', 'google_chat', 'mattermost', 'rocketchat', 'email'] as const)(
  'a channel that people read: %s',
  (channel) => {
    it('has a time zone and a language', () => {
      expect(load(channel, 'time_zone: Asia/Kolkata, language: fr').settings).toMatchObject({
        timeZone: 'Asia/Kolkata',
        language: 'fr',
      })
      expect(load(channel, '').settings).toMatchObject({ timeZone: null, language: 'en', quiet: null })
    })

    it.each([
      ['time_zone: Mars/Olympus', '`time_zone` must be an IANA time zone such as Europe/Paris'],
      ['time_zone: "+01:00"', '`time_zone` must be an IANA time zone such as Europe/Paris'],
      ['language: pt', '`language` must be one of en, de, fr, nl, es'],
      ['quiet: { from: "20:00" }', '`to` is missing in `quiet`'],
      ['quiet: { from: "24:00", to: "06:00" }', '`from` must be a time of day'],
      ['quiet: { from: "06:00", to: "06:00" }', '`from` and `to` of `quiet` must differ'],
      ['quiet: { from: "20:00", to: "06:00" }, order: subject', '`order: subject` and `quiet` exclude each other'],
      ['language: DE', '`language` must be one of en, de, fr, nl, es'],
    ])('refuses %s', (key, message) => {
      expect(load(channel, key).problems).toEqual([expect.stringContaining(message)])
    })
  },
)

describe.each(['url', 'svix'] as const)('a channel that programs read: %s', (channel) => {
  it.each(['time_zone: UTC', 'language: fr', 'quiet: { from: "20:00", to: "06:00" }'])('has no %s', (key) => {
    const name = key.split(':')[0] ?? ''
    expect(load(channel, key).problems).toEqual([
      expect.stringMatching(`\`${name}\` belongs to \`slack\`.*, not to \`${channel}\``),
    ])
  })
})

function mail(keys: string) {
  return load('email', keys).settings
}

it('a digest is in the zone of its subscription, where it names none itself', () => {
  expect(mail('digest: { at: "08:00" }')).toMatchObject({ digest: { timeZone: 'UTC' }, timeZone: null })
  expect(mail('digest: { at: "08:00" }, time_zone: Asia/Tokyo')).toMatchObject({ digest: { timeZone: 'Asia/Tokyo' } })
  expect(mail('digest: { at: "08:00", time_zone: Europe/Paris }')).toMatchObject({
    digest: { timeZone: 'Europe/Paris' },
    timeZone: 'Europe/Paris',
  })
})

it('a digest is of a day or a week', () => {
  expect(mail('digest: { at: "08:00", every: week }')).toMatchObject({ digest: { every: 'week' } })
  expect(mail('digest: { at: "08:00" }')).toMatchObject({ digest: { every: 'day' } })
  expect(load('email', 'digest: { at: "08:00", every: month }').problems).toEqual([
    expect.stringContaining('`every` must be one of day, week'),
  ])
})

it('a digest has no quiet hours', () => {
  const keys = 'digest: { at: "08:00" }, quiet: { from: "20:00", to: "06:00" }'
  expect(load('email', keys).problems).toEqual([
    expect.stringContaining('`quiet` and `digest` exclude each other: a digest has an hour of its own'),
  ])
})
