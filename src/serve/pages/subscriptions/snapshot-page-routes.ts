import { Hono } from 'hono'
import { say, sayCount } from '../languages/say.ts'
import { isRecordResource, type RecordResource } from '../../../model/resource.ts'
import type { AdminEnv } from '../../admin-env.ts'
import type { Desks } from '../../scope/desks.ts'
import { act, actorOf, formOf } from '../act.ts'
import type { Notices } from '../notices.ts'
import { subscriptionPath, valueOf, type Address } from '../parts/address.ts'
import { showPage, viewOf } from '../show-page.ts'
import { snapshotQuestion } from './snapshot-panel.ts'

/** Records as they stand, sent to one subscription: says first how many, begins, and ends. */
export function snapshotPageRoutes(desks: Desks, notices: Notices): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/subscriptions/:name/snapshot', async (c) => {
    const name = c.req.param('name')
    const asker = actorOf(c)
    const only = resourceIn(viewOf(c, desks).address)
    const count = await desks.deskOf(asker).actionsOf(asker).countSnapshot(name, only)
    return showPage(c, desks, snapshotQuestion(name, only, count))
  })
  routes.post('/subscriptions/:name/snapshot', async (c) => {
    const name = c.req.param('name')
    const asker = actorOf(c)
    const only = resourceIn(await formOf(c))
    return act(c, {
      notices,
      path: subscriptionPath(name),
      work: async () => {
        const amount = await desks.deskOf(asker).actionsOf(asker).beginSnapshot(name, only)
        return sayCount(
          amount,
          ['{name} is sent {n} record as it stands.', '{name} is sent {n} records as they stand.'],
          { name },
        )
      },
    })
  })
  routes.post('/subscriptions/:name/cancel', async (c) => {
    const name = c.req.param('name')
    const asker = actorOf(c)
    return act(c, {
      notices,
      path: subscriptionPath(name),
      work: async () => {
        await desks.deskOf(asker).actionsOf(asker).cancelSnapshot(name)
        return say('The snapshot of {name} is cancelled: what was sent stays.', { name })
      },
    })
  })
  return routes
}

/** The resource that a form names; null: none. */
function resourceIn(address: Address): RecordResource | null {
  const named = valueOf(address, 'resource') ?? ''
  return isRecordResource(named) ? named : null
}
