import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Json } from '../../model/json.ts'
import { PRESSED_AT, signingSecretOf, type Subscription } from '../../model/subscription.ts'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { problemResponse } from '../problem.ts'
import { pressedIn } from './pressed.ts'
import { isSigned, SeenSignatures } from './signature.ts'

/** Slack sends the whole message along, percent-encoded. */
const LARGEST_BODY_BYTES = 512 * 1024

/** What people press in Slack, for apps whose signing secret is configured: it asks for Slack's signature, not for a token. */
export function pressRoutes(context: AdminContext): Hono<AdminEnv> {
  const { clock } = context
  const seen = new SeenSignatures()
  const routes = new Hono<AdminEnv>()
  routes.post(PRESSED_AT, bodyLimit({ maxSize: LARGEST_BODY_BYTES, onError: tooLarge }), async (c) => {
    const now = clock.now()
    const signing = context.subscriptions().flatMap((subscription) => {
      const secret = signingSecretOf(subscription.channel)
      return secret === null ? [] : [{ subscription, secret }]
    })
    if (signing.length === 0) return problemResponse({ status: 404, detail: `There is nothing at ${c.req.path}.` })
    const body = new Uint8Array(await c.req.arrayBuffer())
    const signature = c.req.header('x-slack-signature') ?? ''
    const request = { body, signature, timestamp: c.req.header('x-slack-request-timestamp') ?? '' }
    const signed = signing.filter(({ secret }) => isSigned(request, secret, now))
    if (signed.length === 0) return problemResponse({ status: 401, detail: UNSIGNED })
    const payload = payloadIn(body)
    if (payload === undefined)
      return problemResponse({ status: 400, detail: 'The body has no `payload` that is JSON.' })
    const pressed = pressedIn(payload)
    const of = signed.find(({ subscription }) => subscription.name === pressed?.place.subscription)?.subscription
    // A link that was opened, or what another subscription would have to be signed for, is done with nothing.
    const isHeard = pressed !== null && of !== undefined && hears(of, pressed.place.account)
    if (isHeard && seen.add(signature, now)) await context.pressed(pressed)
    return c.body(null, 200)
  })
  return routes
}

const UNSIGNED =
  'This is not signed by Slack with a `signing_secret` that is configured here, or was signed more than five minutes ago.'

function tooLarge(): Response {
  return problemResponse({ status: 413, detail: `The body is larger than ${LARGEST_BODY_BYTES} bytes.` })
}

function hears({ accounts }: Subscription, account: string): boolean {
  return accounts?.includes(account) !== false
}

function payloadIn(body: Uint8Array): Json | undefined {
  try {
    const json: Json = JSON.parse(new URLSearchParams(new TextDecoder().decode(body)).get('payload') ?? '')
    return json
  } catch {
    return undefined
  }
}
