import { z } from 'zod'
import type {
  GoogleChatChannel,
  MattermostChannel,
  PostedChat,
  RocketchatChannel,
  SlackChannel,
  TeamsChannel,
} from '../model/subscription.ts'
import { httpUrl } from './addresses.ts'
import { postingSecrets } from './channel-secrets.ts'
import { configuredKind, type Surroundings } from './configured-kind.ts'
import { forPeople, peoples, type PeoplesKeys } from './people-keys.ts'
import { proxyKeys, proxyMisfit, proxyOf, proxySecrets, type ProxyKeys } from './proxy.ts'

/** The key of a chat. */
function hook(of: string, says: string) {
  return z
    .strictObject({ url: httpUrl.describe(`${of}; a secret, since whoever knows it may post.`) })
    .optional()
    .describe(says)
}

/** Chats show messages in the order in which they come, and take about one a second. */
function inTurn(key: string): Readonly<Record<string, string>> {
  return { concurrency: `\`concurrency\` is not for \`${key}\`: its messages go one after another` }
}

const chatKeys = { ...forPeople, ...proxyKeys }

interface ChatKeys extends PeoplesKeys, ProxyKeys {
  readonly timeout: number
}

function posted(url: string, keys: ChatKeys, { templates }: Surroundings): PostedChat {
  const proxy = proxyOf(keys)
  const hidden = [...postingSecrets(url), ...proxySecrets(proxy)]
  return { url, proxy, ...peoples(keys, templates), hidden, timeoutMs: keys.timeout, concurrency: 1 }
}

export const slack = configuredKind({
  chosenBy: {
    slack: hook(
      'The incoming webhook of a Slack channel',
      'Slack messages instead of webhooks; many events that come together in one.',
    ),
  },
  own: chatKeys,
  refuses: inTurn('slack'),
  build: ({ slack: chosen, ...keys }, around): SlackChannel | null =>
    chosen === undefined ? null : { kind: 'slack', ...posted(chosen.url, keys, around) },
  misfit: proxyMisfit,
  dials: { at: ['slack', 'url'], url: ({ url }) => url },
})

export const teams = configuredKind({
  chosenBy: {
    teams: hook(
      'The webhook of a workflow of Microsoft Teams',
      'Cards in Microsoft Teams instead of webhooks; many events that come together in one.',
    ),
  },
  own: chatKeys,
  refuses: inTurn('teams'),
  build: ({ teams: chosen, ...keys }, around): TeamsChannel | null =>
    chosen === undefined ? null : { kind: 'teams', ...posted(chosen.url, keys, around) },
  misfit: proxyMisfit,
  dials: { at: ['teams', 'url'], url: ({ url }) => url },
})

export const googleChat = configuredKind({
  chosenBy: {
    google_chat: hook(
      'The incoming webhook of a space of Google Chat',
      'Cards in Google Chat instead of webhooks; many events that come together in one.',
    ),
  },
  own: chatKeys,
  refuses: inTurn('google_chat'),
  build: ({ google_chat: chosen, ...keys }, around): GoogleChatChannel | null =>
    chosen === undefined ? null : { kind: 'google_chat', ...posted(chosen.url, keys, around) },
  misfit: proxyMisfit,
  dials: { at: ['google_chat', 'url'], url: ({ url }) => url },
  // What Google takes for a space, whoever posts there.
  rate: { requests: 1, perMs: 1_000 },
})

export const mattermost = configuredKind({
  chosenBy: {
    mattermost: hook(
      'The incoming webhook of a Mattermost server',
      'Mattermost messages instead of webhooks; many events that come together in one.',
    ),
  },
  own: chatKeys,
  refuses: inTurn('mattermost'),
  build: ({ mattermost: chosen, ...keys }, around): MattermostChannel | null =>
    chosen === undefined ? null : { kind: 'mattermost', ...posted(chosen.url, keys, around) },
  misfit: proxyMisfit,
  dials: { at: ['mattermost', 'url'], url: ({ url }) => url },
})

export const rocketchat = configuredKind({
  chosenBy: {
    rocketchat: hook(
      'The incoming webhook of a Rocket.Chat server',
      'Rocket.Chat messages instead of webhooks; many events that come together in one.',
    ),
  },
  own: chatKeys,
  refuses: inTurn('rocketchat'),
  build: ({ rocketchat: chosen, ...keys }, around): RocketchatChannel | null =>
    chosen === undefined ? null : { kind: 'rocketchat', ...posted(chosen.url, keys, around) },
  misfit: proxyMisfit,
  dials: { at: ['rocketchat', 'url'], url: ({ url }) => url },
})
