import { postingSecrets } from '../../../../src/config/channel-secrets.ts'
import type { ChannelKind, ChannelSettings, PostedChat } from '../../../../src/model/subscription.ts'
import { webhookChannel } from '../../../support/webhook-channel.ts'
import type { ChannelCase } from './channel-case.ts'
import { httpFarSide } from './http-far-side.ts'
import { mailFarSide } from './mail-far-side.ts'
import { PEOPLES_CHANNEL } from '../peoples-channel.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const HOOK = '/services/T000/B000/verySecretPart'
const SIGNATURE = 'k3y-Of_7heWorkflow'
const PASSWORD = 'p4ssw0rd-of-the-bell'
const TOKEN = 'sk_test_4fJ7verySecret.eu'

/** The mail server of every channel that is configured here. */
export const SMTP = `smtps://bell:${PASSWORD}@mail.example`

/** Every kind of channel; null: nothing is sent. */
export const CHANNEL_CASES: Readonly<Record<ChannelKind, ChannelCase | null>> = {
  webhook: {
    key: 'url',
    configured: `url: https://erp.example/hooks, secret: whsec_${KEY}`,
    secret: KEY,
    guarded: true,
    start: async (manner) =>
      await httpFarSide({
        manner,
        secret: `whsec_${KEY}`,
        accepted: 'ok',
        settings: (url) => webhookChannel({ url: `${url}/hooks`, secrets: [`whsec_${KEY}`] }),
      }),
  },
  slack: chatCase('slack', HOOK),
  teams: chatCase('teams', `/workflows/f00d/triggers/manual/paths/invoke?api-version=1&sig=${SIGNATURE}`, SIGNATURE),
  google_chat: chatCase('google_chat', `/v1/spaces/AAAA/messages?key=AIzaSyKey&token=${SIGNATURE}`, SIGNATURE),
  mattermost: chatCase('mattermost', '/hooks/xyz7secretkeyofthehook12'),
  rocketchat: chatCase('rocketchat', '/hooks/65f0aa/yS3cretTokenOfTheHook'),
  email: {
    key: 'email',
    configured: 'email: { to: [ap@example.com], from: bell@example.com }',
    secret: PASSWORD,
    guarded: false,
    start: async (manner) => await mailFarSide(manner, PASSWORD),
  },
  svix: {
    key: 'svix',
    configured: `svix: { token: ${TOKEN}, server: https://svix.example, app: acme }`,
    secret: TOKEN,
    guarded: true,
    start: async (manner) =>
      await httpFarSide({
        manner,
        secret: TOKEN,
        accepted: '{"id":"msg_1"}',
        settings: (server) => ({
          kind: 'svix',
          server,
          token: TOKEN,
          hidden: [TOKEN],
          app: 'acme',
          timeoutMs: 15_000,
          concurrency: 4,
        }),
      }),
  },
  pull: null,
}

type Chat = Extract<ChannelSettings, PostedChat>['kind']

/** A chat that posts to `path`, which nobody may see, nor a part of it. */
function chatCase(kind: Chat, path: string, secret = path): ChannelCase {
  return {
    key: kind,
    configured: `${kind}: { url: "https://chat.example${path}" }`,
    secret,
    guarded: true,
    start: async (manner) =>
      await httpFarSide({
        manner,
        secret,
        accepted: 'ok',
        settings: (url) => ({
          kind,
          url: `${url}${path}`,
          hidden: postingSecrets(`${url}${path}`),
          ...PEOPLES_CHANNEL,
          timeoutMs: 15_000,
          concurrency: 1,
        }),
      }),
  }
}
