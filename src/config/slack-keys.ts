import { z } from 'zod'
import { httpUrl } from './addresses.ts'
import { issueOf } from './schema-parts.ts'
import { flag, token } from './values.ts'

const CHANNEL =
  'must be the id of a channel, such as C0123456789 (in Slack: at the end of what it says about the channel)'

/** The keys of an app, each of which needs its `token`. */
const OF_APP = ['token', 'channel', 'live', 'api_url', 'signing_secret'] as const

/** Where Slack posts to, or as which app. */
export const slackKeys = z
  .strictObject({
    url: httpUrl
      .optional()
      .describe('The incoming webhook of a Slack channel; a secret, since whoever knows it may post.'),
    token: token
      .optional()
      .describe('In place of `url`: the bot token of an app (`xoxb-…`), a secret. One message for each shipment.'),
    channel: z
      .string(CHANNEL)
      .regex(/^[CDG][A-Z0-9_]+$/, CHANNEL)
      .optional()
      .describe('Required with `token`: the id of the channel that the app posts to.'),
    live: flag
      .refine(
        (live) => live,
        'must be true: for messages that stay as they were sent, name an incoming webhook in `url`',
      )
      .optional()
      .describe('With `token`: the message of a shipment is kept up to date, and its thread is the log (`true`).'),
    api_url: httpUrl
      .refine((url) => !url.includes('?'), 'must not have a query: methods such as chat.postMessage are appended')
      .transform((url) => url.replace(/\/+$/, ''))
      .optional()
      .describe('With `token`: where the Web API is; `https://slack.com/api` by default.'),
    signing_secret: token
      .optional()
      .describe('With `token`: the signing secret of the app; messages get buttons, and the desk answers to them.'),
  })
  .superRefine((keys, context) => {
    const first = OF_APP.find((key) => keys[key] !== undefined)
    if (keys.url !== undefined) {
      if (first === undefined) return
      const why = `\`${first}\` is not for an incoming webhook: take either \`url\`, or \`token\` and \`channel\` of an app`
      context.addIssue(issueOf(why, { key: first, at: 'key', rule: true }))
    } else if (first === undefined) {
      const why = 'is missing in `slack`: name an incoming webhook there, or `token` and `channel` of an app'
      context.addIssue(issueOf(why, { key: 'url' }))
    } else
      for (const key of ['token', 'channel'] as const)
        if (keys[key] === undefined) context.addIssue(issueOf('is missing in `slack`', { key }))
  })

export const SLACK_API = 'https://slack.com/api'
