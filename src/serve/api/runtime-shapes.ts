import { z } from '@hono/zod-openapi'
import { subscription } from './account-shapes.ts'
import { name, text } from './parts.ts'

const texts = z.array(text)

/** The keys that the file has, too: it is judged as one of the file is. */
const keys = {
  url: text.openapi({ format: 'uri' }).describe('Where events are posted: https, at a public address.'),
  events: texts.describe('Exact types, `prefix.*`, or `*`.'),
  accounts: texts.nullish().describe('The accounts whose events are sent; all that may be by default.'),
  where: text.nullish().describe('A condition on these events, in CEL over the payload.'),
  min_shift: text.nullish().describe('Date changes are sent only when this far: `12h`.'),
  payload: z
    .enum(['full', 'thin', 'auto'])
    .nullish()
    .describe('`thin`: without the record; `auto`: so only where that is too large for the receiver.'),
  omit: texts.nullish().describe('JSON Pointers of what is left out of records.'),
  order: z.enum(['none', 'subject']).nullish().describe('`subject`: the events of one record in strict order.'),
  rate: z
    .object({ requests: z.int(), per: text })
    .nullish()
    .describe('How many it takes: `{requests: 50, per: "1s"}`.'),
  start: z
    .enum(['live', 'snapshot'])
    .nullish()
    .describe('`snapshot`: it is first sent every known record, once it is verified.'),
  watermark: text.nullish().describe('How often it is told how far it is complete: `1m`.'),
  headers: z.record(text, text).nullish().describe('Extra request headers.'),
}

/** What is asked for of a new subscription. Keys that nobody knows are told from one another where they are judged. */
export const newSubscription = z
  .looseObject({ name: name.describe('What it is called: a-z, 0-9, - and _.'), ...keys })
  .openapi('NewSubscription')
export const subscriptionChange = z.looseObject(keys).partial().openapi('SubscriptionChange')

export const secret = text.describe('What signs it: it is shown this once.')
export const subscriptionWithSecret = subscription.extend({ secret })
