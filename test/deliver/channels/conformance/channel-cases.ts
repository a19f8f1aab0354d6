import type { ChannelSettings } from '../../../../src/model/subscription.ts'
import { webhookChannel } from '../../../support/webhook-channel.ts'
import type { ChannelCase } from './channel-case.ts'
import { httpFarSide } from './http-far-side.ts'
import { mailFarSide } from './mail-far-side.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const HOOK = '/services/T000/B000/verySecretPart'
const PASSWORD = 'p4ssw0rd-of-the-bell'
const TOKEN = 'sk_test_4fJ7verySecret.eu'

/** Every kind of channel; null: not built yet. */
export const CHANNEL_CASES: Readonly<Record<ChannelSettings['kind'], ChannelCase | null>> = {
  webhook: {
    key: 'url',
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
  slack: {
    key: 'slack',
    secret: HOOK,
    guarded: true,
    start: async (manner) =>
      await httpFarSide({
        manner,
        secret: HOOK,
        accepted: 'ok',
        settings: (url) => ({
          kind: 'slack',
          url: `${url}${HOOK}`,
          templates: new Map(),
          timeoutMs: 15_000,
          concurrency: 1,
        }),
      }),
  },
  email: {
    key: 'email',
    secret: PASSWORD,
    guarded: false,
    start: async (manner) => await mailFarSide(manner, PASSWORD),
  },
  svix: {
    key: 'svix',
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
          app: 'acme',
          timeoutMs: 15_000,
          concurrency: 4,
        }),
      }),
  },
}
