import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { RECORD_RESOURCES } from '../../model/resource.ts'
import type { AdminEnv } from '../admin-env.ts'
import type { Desks } from '../scope/desks.ts'
import { ACT_PROBLEMS, answer } from './answers.ts'
import { checked, malformed } from './checked.ts'
import { name, shown, whole } from './parts.ts'
import { BODY_PROBLEMS, limitedBody, notJson, parsed } from './request-body.ts'

const params = z.object({ name })
const DRY_RUN = 'must be true or false'

/** What is asked for wrongly must not send everything: other keys are refused. */
const choice = z.strictObject({
  resource: z
    .enum(RECORD_RESOURCES, `must be one of ${RECORD_RESOURCES.join(', ')}`)
    .optional()
    .openapi({
      description: 'Its records alone; `invoice` takes credit notes along. All that it hears of by default.',
    }),
  dry_run: z.boolean(DRY_RUN).optional().openapi({ description: 'Only count.' }),
})

const SNAPSHOT = createRoute({
  method: 'post',
  path: '/subscriptions/{name}/snapshot',
  operationId: 'sendSnapshot',
  summary: 'Send a subscription every known record as it stands',
  request: { params, body: { required: false, content: { 'application/json': { schema: choice } } } },
  responses: {
    200: answer(
      'Of a dry run: how many records it would be sent, and how many `where` leaves out.',
      shown(z.object({ rows: whole, left_out: whole })),
    ),
    202: answer('How many records it is sent.', shown(z.object({ rows: whole }))),
    ...ACT_PROBLEMS,
    ...BODY_PROBLEMS,
  },
})

const CANCEL = createRoute({
  method: 'delete',
  path: '/subscriptions/{name}/snapshot',
  operationId: 'cancelSnapshot',
  summary: 'Send no more of the records that it is being sent as they stand',
  request: { params },
  responses: {
    200: answer('Nothing more is sent of them.', shown(z.object({ subscription: name, cancelled: z.literal(true) }))),
    ...ACT_PROBLEMS,
  },
})

/** Records as they stand, for one subscription. */
export function snapshotRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  // Programs name no media type more often than a wrong one: the body is read as JSON whatever it is called.
  routes.openAPIRegistry.registerPath(SNAPSHOT)
  routes.post('/subscriptions/:name/snapshot', limitedBody, async (c) => {
    const asked = params.safeParse(c.req.param())
    if (asked.data === undefined) return malformed('param', asked.error.issues)
    const sent = await c.req.text()
    const body = sent.trim() === '' ? {} : parsed(sent)
    if (body === undefined) return notJson()
    const { data, error } = choice.safeParse(body)
    if (data === undefined) return malformed('body', error.issues.map(named))
    const { dry_run, resource = null } = data
    const { name: subscription } = asked.data
    const asker = c.get('asker')
    const actions = desks.deskOf(asker).actionsOf(asker)
    if (dry_run === true) {
      const { leftOut, rows } = await actions.countSnapshot(subscription, resource)
      return c.json({ rows, left_out: leftOut }, 200)
    }
    return c.json({ rows: await actions.beginSnapshot(subscription, resource) }, 202)
  })
  routes.openapi(CANCEL, async (c) => {
    const { name: subscription } = c.req.valid('param')
    const asker = c.get('asker')
    await desks.deskOf(asker).actionsOf(asker).cancelSnapshot(subscription)
    return c.json({ subscription, cancelled: true }, 200)
  })
  return routes
}

type Issue = z.ZodError['issues'][number]

/** A key that there is not is named as what is malformed. */
function named(issue: Issue): Issue {
  if (issue.code !== 'unrecognized_keys') return issue
  return { ...issue, path: issue.keys.slice(0, 1), message: 'is not known: there are resource and dry_run' }
}
