/// <reference types="@maxim_mazurok/gapi.client.chat-v1" />
import { z } from 'zod'
import { expect } from 'vitest'
import { sizeOf, unescaped } from './adaptive-card.ts'

/** What the discovery document of the Chat API calls a message. */
export type PublishedMessage = gapi.client.chat.Message

/** developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create */
const MOST_BYTES = 32_000

const html = z.string().min(1)
const widget = z.union([
  z.strictObject({ textParagraph: z.strictObject({ text: html }) }),
  z.strictObject({
    buttonList: z.strictObject({
      buttons: z.array(
        z.strictObject({ text: html, onClick: z.strictObject({ openLink: z.strictObject({ url: z.url() }) }) }),
      ),
    }),
  }),
])
const message = z.strictObject({
  fallbackText: z.string().regex(/^[^<>]+$/),
  cardsV2: z.tuple([
    z.strictObject({
      cardId: z.string().min(1),
      card: z.strictObject({ sections: z.array(z.strictObject({ widgets: z.array(widget).min(1).max(100) })).min(1) }),
    }),
  ]),
  thread: z.strictObject({ threadKey: z.string().min(1).max(4_000) }).optional(),
})

/** Every line of a message as people see it; throws where Google Chat would not take it. */
export function shownInGoogleChat(body: string): readonly string[] {
  expect(sizeOf(body)).toBeLessThan(MOST_BYTES)
  const { thread, ...parsed } = message.parse(JSON.parse(body))
  const valid: PublishedMessage = thread === undefined ? parsed : { ...parsed, thread }
  const widgets = (valid.cardsV2 ?? []).flatMap(({ card }) =>
    (card?.sections ?? []).flatMap((section) => section.widgets ?? []),
  )
  return widgets.flatMap(({ textParagraph }) => (textParagraph?.text ?? '').split('<br>').map(read)).filter(Boolean)
}

/** A line without the tags that cards know; throws where any other markup is in it. */
function read(line: string): string {
  const text = line.replaceAll(/<\/?b>|<font color="#[0-9a-f]{6}">|<\/font>/g, '')
  expect(text).toMatch(/^[^<>]*$/)
  expect(text).toMatch(/^(?:[^&]|&(?:amp|lt|gt);)*$/)
  return unescaped(text).replace(/^● /, '')
}
