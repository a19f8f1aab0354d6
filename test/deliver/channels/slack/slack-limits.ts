import type { KnownBlock, MessageAttachment, PlainTextElement } from '@slack/types'
import { z } from 'zod'

/**
 * What Slack documents of the parts that are used (docs.slack.dev/reference/block-kit), lengths counted in the way that
 * counts most: entities as they are sent, everything beyond ASCII as `\uXXXX`.
 */
const plainText = (most: number): z.ZodType<PlainTextElement> =>
  z.strictObject({ type: z.literal('plain_text'), text: text(most), emoji: z.literal(false) })
const label = z.strictObject({
  type: z.literal('mrkdwn'),
  text: z.string().regex(/^\*[A-Z][a-z ]+\*$/),
  verbatim: z.literal(true),
})
const block: z.ZodType<KnownBlock> = z.union([
  z.strictObject({ type: z.literal('header'), text: plainText(150) }),
  z.strictObject({ type: z.literal('section'), text: plainText(3_000) }),
  z.strictObject({
    type: z.literal('section'),
    fields: z
      .array(z.union([plainText(2_000), label]))
      .min(1)
      .max(10),
  }),
  z.strictObject({ type: z.literal('context'), elements: z.array(plainText(2_000)).min(1).max(10) }),
])
const attachment: z.ZodType<MessageAttachment> = z.strictObject({
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  fallback: text(2_000),
  blocks: z.array(block).min(1),
})
const message = z.strictObject({
  text: text(40_000),
  mrkdwn: z.literal(false),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
  blocks: z.array(block).min(1),
  attachments: z.array(attachment).min(1).max(20),
})

export type ValidMessage = z.infer<typeof message>

/** Of all blocks together; Slack refuses somewhat more as `msg_blocks_too_long`. */
const MOST_OF_BLOCKS = 11_000
const MOST_BLOCKS = 50

/** The message, which Slack takes; throws where it would not. */
export function accepted(body: string): ValidMessage {
  const valid = message.parse(JSON.parse(body))
  const blocks = [...valid.blocks, ...valid.attachments.flatMap((each) => each.blocks ?? [])]
  if (blocks.length > MOST_BLOCKS) throw new Error(`${blocks.length} blocks`)
  const size = lengthOf(JSON.stringify([valid.blocks, valid.attachments]))
  if (size > MOST_OF_BLOCKS) throw new Error(`${size} characters`)
  return valid
}

/** Every text that people see of a message, in the order of the screen. */
export function shownTexts(body: string): readonly string[] {
  const { blocks, attachments } = accepted(body)
  return [...blocks, ...attachments.flatMap((each) => each.blocks ?? [])].flatMap(textsOf)
}

/** The text as people see it. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function textsOf(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'text' in node && typeof node.text === 'string' ? [node.text] : []
  return [...own, ...Object.values(node).flatMap(textsOf)]
}

/** No bare `<` or `>`, which begin a link or a mention, and no `&` that begins nothing; no controls but line ends. */
function text(most: number): z.ZodType<string> {
  return z
    .string()
    .min(1)
    .regex(/[^\s\p{Default_Ignorable_Code_Point}]/u)
    .regex(/^[^<>]*$/)
    .regex(/^(?:[^&]|&(?:amp|lt|gt);)*$/)
    .regex(/^(?:[^\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]|\n)*$/u)
    .refine((value) => lengthOf(value) <= most, `is longer than ${most}`)
}

function lengthOf(value: string): number {
  return JSON.stringify(value).length - 2 + 5 * (value.match(/[^\0-\x7f]/g)?.length ?? 0)
}
