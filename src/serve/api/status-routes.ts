import type { Context } from 'hono'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { ShipbellError } from '../../errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { accountJson } from '../../report/account.ts'
import { endpointJson } from '../../report/endpoint.ts'
import { statusJson } from '../../report/status.ts'
import { holdJson } from '../../report/hold.ts'
import { snapshotsByName } from '../../report/snapshot-run.ts'
import { planJson } from '../../report/plan.ts'
import type { AccountOverview } from '../../store/ports/query-port.ts'
import type { Desk, Desks } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import * as shape from './account-shapes.ts'
import { answer, READ_PROBLEMS } from './answers.ts'
import { checked } from './checked.ts'
import { subscriptionJson } from './subscribe-for.ts'
import { sliced } from './list-slice.ts'
import { listOf, name, paging, shown } from './parts.ts'

const query = z.object(paging)
const named = z.object({ name })

const STATUS = createRoute({
  method: 'get',
  path: '/status',
  operationId: 'getStatus',
  summary: 'Accounts and their freshness, subscriptions and their backlog',
  responses: { 200: answer('As `status --json`.', shown(shape.status)), ...READ_PROBLEMS },
})
const ACCOUNTS = createRoute({
  method: 'get',
  path: '/accounts',
  operationId: 'listAccounts',
  summary: 'Accounts by name',
  request: { query },
  responses: { 200: answer('Accounts.', listOf(shape.account)), ...READ_PROBLEMS },
})
const ACCOUNT = createRoute({
  method: 'get',
  path: '/accounts/{name}',
  operationId: 'getAccount',
  summary: 'One account',
  request: { params: named },
  responses: { 200: answer('The account.', shown(shape.account)), ...READ_PROBLEMS },
})
const SUBSCRIPTIONS = createRoute({
  method: 'get',
  path: '/subscriptions',
  operationId: 'listSubscriptions',
  summary: 'Subscriptions by name',
  request: { query },
  responses: { 200: answer('Subscriptions.', listOf(shape.subscription)), ...READ_PROBLEMS },
})
const SUBSCRIPTION = createRoute({
  method: 'get',
  path: '/subscriptions/{name}',
  operationId: 'getSubscription',
  summary: 'One subscription',
  request: { params: named },
  responses: { 200: answer('The subscription.', shown(shape.subscription)), ...READ_PROBLEMS },
})
const PLAN = createRoute({
  method: 'get',
  path: '/plan',
  operationId: 'getPlan',
  summary: 'What is read how often, and whether the budget covers it',
  responses: { 200: answer('As `plan --json`.', shown(shape.plan)), ...READ_PROBLEMS },
})
const HOLDS = createRoute({
  method: 'get',
  path: '/holds',
  operationId: 'listHolds',
  summary: 'Removals that are not believed',
  request: { query },
  responses: { 200: answer('Lists whose removals are held.', listOf(shape.hold)), ...READ_PROBLEMS },
})

/** How everything stands now. */
export function statusRoutes(desks: Desks): OpenAPIHono<AdminEnv> {
  const { clock } = desks
  const deskFor = (c: Context<AdminEnv>): Desk => desks.deskOf(c.get('asker'))
  const routes = new OpenAPIHono<AdminEnv>({ defaultHook: checked })
  routes.openapi(STATUS, async (c) => c.json(statusJson(await deskFor(c).reports.status()), 200))
  routes.openapi(ACCOUNTS, async (c) => {
    const { cursor, limit } = c.req.valid('query')
    const desk = deskFor(c)
    const page = sliced(await desk.reports.accounts(), {
      list: 'accounts',
      cursor,
      limit,
      keyOf: ({ account }) => account,
    })
    return c.json({ items: await accountsJson(desk, page.items), next: page.next }, 200)
  })
  routes.openapi(ACCOUNT, async (c) => {
    const { name: asked } = c.req.valid('param')
    const desk = deskFor(c)
    const found = (await desk.reports.accounts()).filter(({ account }) => account === asked)
    const [json] = await accountsJson(desk, found)
    if (json === undefined) throw new ShipbellError('not_found', `There is no account ${JSON.stringify(asked)}.`)
    return c.json(json, 200)
  })
  routes.openapi(SUBSCRIPTIONS, async (c) => {
    const { cursor, limit } = c.req.valid('query')
    const { store } = deskFor(c)
    const page = sliced(await store.endpoints(), {
      list: 'subscriptions',
      cursor,
      limit,
      keyOf: ({ subscription }) => subscription,
    })
    const runOf = snapshotsByName(await store.snapshotRuns({ which: 'last' }))
    const items = page.items.map((each) => endpointJson(each, clock.now(), runOf.get(each.subscription)))
    return c.json({ items, next: page.next }, 200)
  })
  routes.openapi(SUBSCRIPTION, async (c) => {
    const { name: asked } = c.req.valid('param')
    return c.json(await subscriptionJson(deskFor(c), asked), 200)
  })
  routes.openapi(PLAN, async (c) => c.json(planJson(await deskFor(c).reports.plan()), 200))
  routes.openapi(HOLDS, async (c) => {
    const { cursor, limit } = c.req.valid('query')
    const page = sliced(await deskFor(c).store.holds(), {
      list: 'holds',
      cursor,
      limit,
      keyOf: ({ account, resource }) => `${account} ${resource}`,
    })
    return c.json({ items: page.items.map(holdJson), next: page.next }, 200)
  })
  return routes
}

async function accountsJson(
  { clock, reports }: Pick<Desk, 'clock' | 'reports'>,
  accounts: readonly AccountOverview[],
): Promise<JsonObject[]> {
  const now = clock.now()
  const fresh = await reports.freshness(accounts.map(({ account }) => account))
  return accounts.map((account, nth) => accountJson(account, { now, fresh: fresh[nth] }))
}
