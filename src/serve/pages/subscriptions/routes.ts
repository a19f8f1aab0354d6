import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { say, sayCount } from '../languages/say.ts'
import { ShipbellError } from '../../../errors.ts'
import type { SentTest } from '../../../report/tested-delivery.ts'
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
import { showFiltered, showPage, viewOf } from '../show-page.ts'
import { snapshotPageRoutes } from './snapshot-page-routes.ts'
import { subscriptionListPage } from './subscription-list-page.ts'
import { subscriptionPage } from './subscription-page.ts'

export function subscriptionRoutes(desks: Desks, { notices }: ActionParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const known = async (c: Context<AdminEnv>, name: string): Promise<EndpointOverview> =>
    await requireEndpoint(viewOf(c, desks).desk, name)
  routes.get('/subscriptions', async (c) => showFiltered(c, desks, subscriptionListPage))
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
          work: async () => sayCount(await actions.enable(name), ENABLED, { name }),
        })
      case 'disable':
        return act(c, {
          notices,
          path,
          work: async () => {
            await actions.disable(name)
            return say('{name} is disabled: its events are held until it is enabled.', { name })
          },
        })
      case 'discard':
        return act(c, { notices, path, work: async () => sayCount(await actions.discard(name), DISCARDED, { name }) })
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
function testedWords(subscription: string, sent: SentTest | null): Notice {
  if (sent === null) return { tone: 'critical', text: say('The test was not sent in time: its delivery says more.') }
  const { row } = sent
  if (row.state === 'delivered')
    return { tone: 'good', text: say('The test was taken: {status}.', { status: statusWords(row.lastStatus) }) }
  if (row.lastError === null) {
    const why =
      row.state === 'held'
        ? say('The test was not sent yet: {name} is disabled.', { name: subscription })
        : say('The test was not sent yet: it waits for its turn.')
    return { tone: 'critical', text: why }
  }
  const remedy = remedyOf({ subscription, status: row.lastStatus, error: row.lastError })
  return {
    tone: 'critical',
    text: say('The test failed: {why}. {remedy}', { why: retold(row.lastError), remedy: retold(remedy) }),
  }
}

function discardQuestion({ counts, subscription }: EndpointOverview): Page {
  const path = subscriptionPath(subscription)
  const body =
    counts.held === 0
      ? html`<h1>${say('Discard')}</h1>
          <section class="panel">
            <p class="lead">${say('{name} holds no events: there is nothing to discard.', { name: subscription })}</p>
            <p><a class="button" href="${path}">${say('Back to {name}', { name: subscription })}</a></p>
          </section>`
      : html`<h1>${sayCount(counts.held, ['Discard {n} held event?', 'Discard {n} held events?'])}</h1>
          ${confirmation({
            question: sayCount(counts.held, DROPPED, { name: subscription }),
            detail: say(
              'They are not sent when it is enabled. The events themselves stay in the log, and each can be retried while its content is kept.',
            ),
            action: { path: `${path}/discard`, isGrave: true },
            back: path,
          })}`
  return { title: `${say('Discard')} · ${subscription}`, under: 'Subscriptions', body }
}

const ENABLED = [
  '{name} is enabled; {n} held event released in order.',
  '{name} is enabled; {n} held events released in order.',
] as const
const DISCARDED = ['{name}: {n} held event discarded.', '{name}: {n} held events discarded.'] as const
const DROPPED = ['{n} held event of {name} will be dropped.', '{n} held events of {name} will be dropped.'] as const
