import type { Json } from '../../../model/json.ts'
import type { ShownDelivery } from '../../../model/payload.ts'
import { bodyOf, type RequestBody } from '../../../model/request-body.ts'
import type { WebhookChannel } from '../../../model/subscription.ts'
import { redact } from '../../../redact.ts'
import type { ChannelFact, Preview, PreviewContext } from '../channel-kind.ts'
import { unmadeSentence } from './body-sender.ts'

interface Previewed {
  readonly channel: WebhookChannel
  readonly body: RequestBody
  readonly delivery: ShownDelivery
}

/** What would be sent of a body; keys that its template has of variables are shown to nobody. */
export function previewOfBody({ body, channel, delivery }: Previewed, { zoneOf }: PreviewContext): Preview {
  const made = bodyOf(body, delivery, zoneOf?.(delivery.event.account) ?? null)
  if (made.kind === 'unmade')
    return { text: redact(unmadeSentence(body, made), channel.hidden), body: null, html: null }
  const text = redact(made.text, channel.hidden)
  return { text, body: body.template.isJson ? documentOf(text) : text, html: null }
}

/** What is redacted may be JSON no more. */
function documentOf(text: string): Json {
  try {
    const document: Json = JSON.parse(text)
    return document
  } catch {
    return text
  }
}

export function bodyFact({ contentType, method, template: { file } }: RequestBody): ChannelFact {
  return { name: 'Body', value: [method, contentType, ...(file === null ? [] : [file])].join(', ') }
}
