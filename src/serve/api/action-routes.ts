import type { Context } from 'hono'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { WATCHABLES, RECORD_OF } from '../../model/resource.ts'
import { holdJson } from '../../report/hold.ts'
import { testedDelivery, testedJson } from '../../report/tested-delivery.ts'
import { ShipbellError } from '../../errors.ts'
import type { Desks } from '../scope/desks.ts'
import type { AdminActions } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { hold, holdReason, tested } from './account-shapes.ts'
import { ACT_PROBLEMS, answer } from './answers.ts'
import { checked } from './checked.ts'
import { name, shown, whole } from './parts.ts'

const params = z.object({ name })

function subscriptionRoute<A extends string>(act: A, what: { readonly summary: string; readonly schema: z.ZodType }) {
  const responses = { 200: answer('It is done.', shown(what.schema)), ...ACT_PROBLEMS }
  const path = `/subscriptions/{name}/${act}` as const
  const operationId = `${act}Subscription`
  return createRoute({ method: 'post', path, operationId, summary: what.summary, request: { params }, responses })
}

const TEST = subscriptionRoute('test', {
  summary: 'Send `shipbell.test` down the real delivery path, and wait for its one attempt',
  schema: tested,
})
const ENABLE = subscriptionRoute('enable', {
  summary: 'Enable it, and release its held events in order',
  schema: z.object({ subscription: name, released: whole }),
})
const DISABLE = subscriptionRoute('disable', {
  summary: 'Disable it: its events are held',
  schema: z.object({ subscription: name, disabled: z.literal(true) }),
})
const DISCARD = subscriptionRoute('discard', {
  summary: 'Drop its held events',
  schema: z.object({ subscription: name, discarded: whole }),
})

const heldList = z.object({ account: name, resource: z.enum(WATCHABLES) })
const whichHold = z.object({
  reason: holdReason.optional().openapi({ description: 'Which hold, where two are of the list: else 409.' }),
})

function holdRoute<A extends 'accept' | 'reject'>(act: A, summary: string) {
  const path = `/holds/{account}/{resource}/${act}` as const
  const responses = { 200: answer('The hold as it is judged.', shown(hold)), ...ACT_PROBLEMS }
  const request = { params: heldList, query: whichHold }
  return createRoute({ method: 'post', path, operationId: `${act}Hold`, summary, request, responses })
}

const ACCEPT = holdRoute('accept', 'Believe the next complete pass: what it misses is removed')
const REJECT = holdRoute('reject', 'What is missing exists: forget the hold')

/** What is done to subscriptions and to held removals. */
export function actionRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const actionsFor = (c: Context<AdminEnv>): AdminActions => {
    const asker = c.get('asker')
    return desks.deskOf(asker).actionsOf(asker)
  }
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(TEST, async (c) => {
    const { name: subscription } = c.req.valid('param')
    const sent = await actionsFor(c).test(subscription, c.req.raw.signal)
    if (sent === null) throw new ShipbellError('internal', `The test of ${subscription} has no row.`)
    const desk = desks.deskOf(c.get('asker'))
    const enabled = desk.subscriptions().find((each) => each.name === subscription)?.enabled ?? true
    return c.json(testedJson(await testedDelivery(desk.store, sent, { name: subscription, enabled })), 200)
  })
  routes.openapi(ENABLE, async (c) => {
    const { name: subscription } = c.req.valid('param')
    return c.json({ subscription, released: await actionsFor(c).enable(subscription) }, 200)
  })
  routes.openapi(DISABLE, async (c) => {
    const { name: subscription } = c.req.valid('param')
    await actionsFor(c).disable(subscription)
    return c.json({ subscription, disabled: true }, 200)
  })
  routes.openapi(DISCARD, async (c) => {
    const { name: subscription } = c.req.valid('param')
    return c.json({ subscription, discarded: await actionsFor(c).discard(subscription) }, 200)
  })
  routes.openapi(ACCEPT, async (c) => {
    const { account, resource } = c.req.valid('param')
    const named = { account, resource: RECORD_OF[resource], ...c.req.valid('query') }
    return c.json(holdJson(await actionsFor(c).judgeHold(named, 'accept')), 200)
  })
  routes.openapi(REJECT, async (c) => {
    const { account, resource } = c.req.valid('param')
    const named = { account, resource: RECORD_OF[resource], ...c.req.valid('query') }
    return c.json(holdJson(await actionsFor(c).judgeHold(named, 'reject')), 200)
  })
  return routes
}
