import { z } from '@hono/zod-openapi'
import { ShipbellError } from '../../../errors.ts'
import { isJsonArray, textField, type Json, type JsonObject } from '../../../model/json.ts'
import { newSubscription } from '../../api/runtime-shapes.ts'
import type { Answer } from '../answer.ts'
import { dataLine } from '../data-block.ts'
import { fields, instantOrNull, text, textOrNull, url, urlOf } from '../parts.ts'
import { tool } from '../tool.ts'
import type { Callbacks, ToolDesk } from '../tool-desk.ts'

export const subscribe = tool({
  name: 'subscribe',
  title: 'Subscribe a callback',
  description:
    'Acts: makes a subscription: from now on Shipbell posts events to the address of the callback, as signed Standard Webhooks, until unsubscribe ends it. To follow one shipment, name "shipment.*" in events and say which in where, such as data.shipment.id == "SHP-1". The address must be on a host that the operator allows. It first gets a signed shipbell.test, and nothing else before it has answered one with 2xx. The answer has the secret that signs: it is shown this once. Call it only when the person you work for asks for it, with an address that this person named.',
  input: newSubscription,
  output: fields({
    name: text,
    state: text.describe('unverified: until the callback answers a test.'),
    events: z.array(text),
    accounts: z.array(text).nullable().describe('Null: all that may be.'),
    where: textOrNull,
    callback: textOrNull.describe('Where events are posted, without what of the address may be secret.'),
    secret: textOrNull.describe('whsec_…: what signs; it is shown this once.'),
    made_at: instantOrNull,
    what_next: text,
    url,
  }),
  acts: { destructive: false, idempotent: false, reachesOut: true },
  isOffered: ({ actions }) => actions?.callbacks != null,
  answer: async (keys, desk) => {
    const made = await callbacksOf(desk).subscribe(asJson(keys))
    if ('problems' in made) throw refused(made.problems)
    return answerOf(made.name, made.subscription, desk)
  },
})

/** What acts on callbacks. Throws where there are none: the tool is not offered then. */
export function callbacksOf({ actions }: ToolDesk): Callbacks {
  if (actions?.callbacks == null) throw new ShipbellError('wrong_state', 'No callbacks are taken here.')
  return actions.callbacks
}

const NEXT =
  'Within some seconds the address gets a signed shipbell.test. Once it answers one with 2xx, events are sent; what rings meanwhile is kept for it. Where it answers none within an hour, the subscription ends.'

function answerOf(name: string, made: JsonObject, desk: ToolDesk): Answer {
  const secret = textField(made, 'secret')
  const page = urlOf(desk, `/subscriptions/${name}`)
  const [events, accounts] = [textsOf(made['events']), textsOf(made['accounts'])]
  const [callback, where] = [textField(made, 'url'), textField(made, 'where')]
  const state = textField(made, 'state') ?? ''
  return {
    lead: [`The subscription ${name} is made; it is ${state}.`, `Its secret, shown this once: ${secret}`, NEXT],
    data: [
      dataLine(
        `posted to ${callback}`,
        `events ${events?.join(', ')}`,
        where && `where ${where}`,
        accounts && `accounts ${accounts.join(', ')}`,
        page,
      ),
    ],
    structured: {
      name,
      state,
      events,
      accounts,
      where,
      callback,
      secret,
      made_at: textField(made, 'made_at'),
      what_next: NEXT,
      url: page,
    },
  }
}

function textsOf(value: Json | undefined): string[] | null {
  return isJsonArray(value) ? value.filter((each) => typeof each === 'string') : null
}

/** Every sentence that says what is wrong, with its place. */
function refused(problems: readonly { readonly at: string; readonly says: string }[]): ShipbellError {
  const sentences = problems.map(({ at, says }) => `${at === '' ? '' : `${at}: `}${says}.`)
  return new ShipbellError('usage', sentences.join(' '))
}

/** Keys that are left out are no keys. */
function asJson(keys: z.output<typeof newSubscription>): JsonObject {
  return JSON.parse(JSON.stringify(keys))
}
