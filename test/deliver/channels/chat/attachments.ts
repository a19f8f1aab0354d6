import MarkdownIt from 'markdown-it'
import { createRequire } from 'node:module'
import { expect } from 'vitest'
import { z } from 'zod'
import { sizeOf, unescaped } from './adaptive-card.ts'

/**
 * What both servers document of incoming webhooks (developers.mattermost.com/integrate/reference/message-attachments,
 * docs.rocket.chat/docs/integrations).
 */
const message = z.strictObject({
  text: z.string().min(1).max(4_000),
  attachments: z
    .array(
      z.strictObject({
        color: z.string().regex(/^#[0-9a-f]{6}$/),
        fallback: z.string().min(1),
        title: z.string().optional(),
        title_link: z.url().optional(),
        text: z.string().optional(),
        fields: z.array(z.strictObject({ title: z.string(), value: z.string(), short: z.boolean() })).optional(),
      }),
    )
    .min(1),
})
/** Of all attachments, on servers before Mattermost 5. */
const MOST_ATTACHMENTS = 7_900

/** Every line as people see it in Mattermost; throws where it would not take the message, or where one would mention. */
export function shownInMattermost(body: string): readonly string[] {
  return linesOf(body).map((line) => {
    expect(line).not.toMatch(/(?:^|[^\p{L}\p{N}])@[\p{L}\p{N}_]/u)
    expect(line).not.toMatch(/(?:^|[^\p{L}\p{N}\\])[#~][\p{L}]/u)
    return seen(readMarkdown(line))
  })
}

/** Every line as people see it in Rocket.Chat; throws where anything is more than text. */
export function shownInRocketChat(body: string): readonly string[] {
  return linesOf(body).map((line) => seen(readParsed(line)))
}

function linesOf(body: string): readonly string[] {
  const { text, attachments } = message.parse(JSON.parse(body))
  expect(sizeOf(JSON.stringify(attachments))).toBeLessThan(MOST_ATTACHMENTS)
  const about = attachments.flatMap(({ text: lines = '', fields = [] }) => [
    ...fields.map(({ title, value }) => `${title}: ${value}`),
    ...lines.split('\n'),
  ])
  return [...text.split('\n'), ...about].filter((line) => line !== '' && !line.startsWith('[Open '))
}

/** Mattermost's own reader is a fork of one of CommonMark; addresses of mail and hosts become links on any. */
const markdown = new MarkdownIt({ html: false, linkify: false })

function readMarkdown(line: string): string {
  const [, inner = null] = /^<p>([^<]*)<\/p>\n$/.exec(markdown.render(line)) ?? []
  if (inner === null) throw new Error(`markup: ${line}`)
  return unescaped(inner)
}

/** The parser of the server itself; its package does not export its types. */
const require = createRequire(import.meta.url)
const rocketChat: { readonly parse: (text: string) => unknown } = require('@rocket.chat/message-parser')
const plainText = z.object({ type: z.literal('PLAIN_TEXT'), value: z.string() })
const link = z.object({
  type: z.literal('LINK'),
  value: z.object({ src: plainText, label: z.union([plainText, z.tuple([plainText])]) }),
})
const emoji = z.object({ type: z.literal('EMOJI'), unicode: z.string() })
const inert = z.tuple([
  z.union([
    z.object({ type: z.literal('PARAGRAPH'), value: z.array(z.union([plainText, link, emoji])) }),
    z.object({ type: z.literal('BIG_EMOJI'), value: z.array(emoji) }),
  ]),
])

/** Addresses of mail and host names become links to what they say. */
function readParsed(line: string): string {
  const [{ value }] = inert.parse(rocketChat.parse(line))
  return value
    .map((part) => {
      if (part.type === 'EMOJI') return part.unicode
      if (part.type === 'PLAIN_TEXT') return part.value
      const { src, label } = part.value
      const { value: text } = 'value' in label ? label : label[0]
      expect(['', '//', 'mailto:', 'tel:'].map((scheme) => scheme + text)).toContain(src.value)
      return text
    })
    .join('')
}

/** Without what splits words. */
function seen(text: string): string {
  return text.replaceAll('\u200b', '')
}
