import { z } from '@hono/zod-openapi'
import { name } from '../../api/parts.ts'
import { fields, text } from '../parts.ts'
import { tool } from '../tool.ts'
import { callbacksOf } from './subscribe.ts'

export const unsubscribe = tool({
  name: 'unsubscribe',
  title: 'End a subscription',
  description:
    'Acts: ends a subscription that subscribe, or the API, made: nothing more is sent to it, and deliveries that wait are discarded. This cannot be taken back. It ends none that the operator configured, and none of others. Call it only when the person you work for asks for it.',
  input: z.strictObject({ name: name.describe('The name that it was made with.') }),
  output: fields({ name: text, ended: z.literal(true) }),
  acts: { destructive: true, idempotent: false },
  isOffered: ({ actions }) => actions?.callbacks != null,
  answer: async ({ name: asked }, desk) => {
    await callbacksOf(desk).unsubscribe(asked)
    return {
      lead: [`The subscription ${asked} has ended: nothing more is sent to it, and what waited is discarded.`],
      data: [],
      structured: { name: asked, ended: true },
    }
  },
})
