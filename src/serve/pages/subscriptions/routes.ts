import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { ShipbellError } from '../../../errors.ts'
import type { Delivery } from '../../../model/delivery.ts'
import { remedyOf } from '../../../report/remedy.ts'
import type { EndpointOverview } from '../../../store/ports/query-port.ts'
import type { Desk, Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { act, actorOf } from '../act.ts'
import type { ActionParts } from '../action-parts.ts'
import { statusWords } from '../deliveries/attempt-list.ts'
import type { Notice } from '../notice.ts'
import { confirmation } from '../parts/actions.ts'
import { subscriptionPath } from '../parts/address.ts'
import type { Page } from '../parts/layout.ts'
import { showPage, viewOf } from '../show-page.ts'
import { snapshotPageRoutes } from './snapshot-page-routes.ts'
import { subscriptionListPage } from './subscription-list-page.ts'
import { subscriptionPage } from './subscription-page.ts'

export function subscriptionRoutes(desks: Desks, { notices }: ActionParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const known = async (c: Context<AdminEnv>, name: string): Promise<EndpointOverview> =>
    await requireEndpoint(viewOf(c, desks).desk, name)
  routes.get('/subscriptions', async (c) => showPage(c, desks, await subscriptionListPage(viewOf(c, desks))))
  routes.get('/subscriptions/:name', async (c) =>
    showPage(c, desks, await subscriptionPage(await known(c, c.req.param('name')), viewOf(c, desks))),
  )
  routes.get('/subscriptions/:name/discard', async (c) => {
    actorOf(c)
    return showPage(c, desks, discardQuestion(await known(c, c.req.param('name'))))
  })
  routes.route('/', snapshotPageRoutes(desks, notices))
  routes.post('/subscriptions/:name/:action', async (c) => {
    const { action, name } = c.req.param()
    const asker = actorOf(c)
    const actions = desks.deskOf(asker).actionsOf(asker)
    await known(c, name)
    const path = subscriptionPath(name)
    switch (action) {
      case 'test':
        return act(c, {
          notices,
          path,
          work: async () => testedWords(name, await actions.test(name, c.req.raw.signal)),
        })
      case 'enable':
        return act(c, {
          notices,
          path,
          work: async () => `${name} is enabled; ${held(await actions.enable(name))} released in order.`,
        })
      case 'disable':
        return act(c, {
          notices,
          path,
          work: async () => {
            await actions.disable(name)
            return `${name} is disabled: its events are held until it is enabled.`
          },
        })
      case 'discard':
        return act(c, { notices, path, work: async () => `${name}: ${held(await actions.discard(name))} discarded.` })
      default:
        return c.notFound()
    }
  })
  return routes
}

async function requireEndpoint({ store }: Pick<Desk, 'store'>, name: string): Promise<EndpointOverview> {
  const endpoint = (await store.endpoints()).find(({ subscription }) => subscription === name)
  if (endpoint !== undefined) return endpoint
  throw new ShipbellError('not_found', `There is no subscription ${JSON.stringify(name)}.`)
}

/** What the one attempt of a test came to. */
function testedWords(subscription: string, row: Delivery | null): Notice {
  if (row === null) return { tone: 'critical', text: 'The test was not sent in time: its delivery says more.' }
  if (row.state === 'delivered') return { tone: 'good', text: `The test was taken: ${statusWords(row.lastStatus)}.` }
  if (row.lastError === null) {
    const why = row.state === 'held' ? `${subscription} is disabled` : 'it waits for its turn'
    return { tone: 'critical', text: `The test was not sent yet: ${why}.` }
  }
  const remedy = remedyOf({ subscription, status: row.lastStatus, error: row.lastError })
  return { tone: 'critical', text: `The test failed: ${row.lastError}. ${remedy}` }
}

function discardQuestion({ counts, subscription }: EndpointOverview): Page {
  const path = subscriptionPath(subscription)
  const body =
    counts.held === 0
      ? html`<h1>Discard</h1>
          <section class="panel">
            <p class="lead">${subscription} holds no events: there is nothing to discard.</p>
            <p><a class="button" href="${path}">Back to ${subscription}</a></p>
          </section>`
      : html`<h1>Discard ${held(counts.held)}?</h1>
          ${confirmation({
            question: `${held(counts.held)} of ${subscription} will be dropped.`,
            detail:
              'They are not sent when it is enabled. The events themselves stay in the log, and each can be retried while its content is kept.',
            action: { path: `${path}/discard`, isGrave: true },
            back: path,
          })}`
  return { title: `Discard · ${subscription}`, under: 'Subscriptions', body }
}

function held(amount: number): string {
  return `${amount.toLocaleString('en')} held event${amount === 1 ? '' : 's'}`
}
