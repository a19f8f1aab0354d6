import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { asStarted } from '../../invocation.ts'
import { readPointInTime } from '../../model/point-in-time.ts'
import { retryNotes } from '../../report/retry-notes.ts'
import type { DeskStore } from '../admin-context.ts'
import type { Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { ACT_PROBLEMS, answer } from './answers.ts'
import { checked, malformed } from './checked.ts'
import { BODY_PROBLEMS, limitedBody, notJson, parsed } from './request-body.ts'
import { id, name, shown, text, time, whole } from './parts.ts'

const taken = shown(
  z
    .object({
      deliveries: whole,
      notes: z
        .array(text)
        .optional()
        .openapi({ description: 'Where an endpoint is disabled, or fails and is tried with one event first.' }),
    })
    .openapi('Retried'),
)

const RETRY_ONE = createRoute({
  method: 'post',
  path: '/deliveries/{id}/retry',
  operationId: 'retryDelivery',
  summary: 'Send a row of the ledger again, a delivered one too; of an event, all its rows',
  request: { params: z.object({ id }) },
  responses: { 202: answer('How many rows are sent again.', taken), ...ACT_PROBLEMS },
})

const choice = z.object({
  subscription: name,
  since: time,
  missing: z.boolean().optional().openapi({ description: 'Also make rows for matching events that have none.' }),
  dry_run: z.boolean().optional().openapi({ description: 'Only count.' }),
})

const RETRY_ALL = createRoute({
  method: 'post',
  path: '/deliveries/retry',
  operationId: 'retryDeliveries',
  summary: 'Send again whatever a subscription was not delivered',
  request: { body: { required: true, content: { 'application/json': { schema: choice } } } },
  responses: {
    200: answer('Of a dry run: how many rows it would be.', taken),
    202: answer('How many rows are sent again.', taken),
    ...ACT_PROBLEMS,
    ...BODY_PROBLEMS,
  },
})

/** What is sent again. */
export function retryRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const { clock, log, signal } = desks
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(RETRY_ONE, async (c) => {
    const { id: asked } = c.req.valid('param')
    const asker = c.get('asker')
    const { actionsOf, store } = desks.deskOf(asker)
    const row = (await store.deliveries([asked]))[0] ?? null
    const notes = await notesOf(store, row === null ? [] : [row.subscription])
    return c.json({ deliveries: await actionsOf(asker).retry(asked), ...notes }, 202)
  })
  // Programs name no media type more often than a wrong one: the body is read as JSON whatever it is called.
  routes.openAPIRegistry.registerPath(RETRY_ALL)
  routes.post('/deliveries/retry', limitedBody, async (c) => {
    const body = parsed(await c.req.text())
    if (body === undefined) return notJson()
    const { data, error } = choice.safeParse(body)
    if (data === undefined) return malformed('body', error.issues)
    const { dry_run, missing = false, subscription } = data
    const asked = { subscription, missing, since: readPointInTime(data.since, clock.now()) ?? 0 }
    const asker = c.get('asker')
    const { actionsOf, store } = desks.deskOf(asker)
    const actions = actionsOf(asker)
    const deliveries = await actions.countMatching(asked)
    const notes = await notesOf(store, [subscription])
    if (dry_run === true) return c.json({ deliveries, ...notes }, 200)
    void actions.retryMatching(asked, { signal }).catch((failure: unknown) => {
      log.error({ subscription, error: String(failure) }, 'admin.retry_failed')
    })
    return c.json({ deliveries, ...notes }, 202)
  })
  return routes
}

/** Empty where nothing has to be said. */
async function notesOf(
  store: Pick<DeskStore, 'endpoints'>,
  subscriptions: readonly string[],
): Promise<Readonly<Record<string, string[]>>> {
  const notes = retryNotes(await store.endpoints(), subscriptions).map(asStarted)
  return notes.length === 0 ? {} : { notes }
}
