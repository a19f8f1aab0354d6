import { Hono } from 'hono'
import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { say } from '../languages/say.ts'
import { ShipbellError } from '../../../errors.ts'
import type { AdminActions, Asker } from '../../admin-context.ts'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { act, actorOf, formOf } from '../act.ts'
import type { ActionParts } from '../action-parts.ts'
import { confirmation } from '../parts/actions.ts'
import { subscriptionPath } from '../parts/address.ts'
import type { Page } from '../parts/layout.ts'
import { showPage, viewOf } from '../show-page.ts'
import { askedKeys, subscribePage } from './subscribe-form.ts'

/** Subscriptions that are made, given another secret and ended on the desk. */
export function subscribeRoutes(desks: Desks, { notices }: ActionParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const actionsFor = (asker: Asker): AdminActions => desks.deskOf(asker).actionsOf(asker)
  routes.get('/subscribe', async (c) => {
    actorOf(c)
    return showPage(c, desks, subscribePage(viewOf(c, desks).address))
  })
  routes.post('/subscribe', async (c) => {
    const actions = actionsFor(actorOf(c))
    const asked = await formOf(c)
    try {
      const came = await actions.subscribe(askedKeys(asked))
      if ('name' in came) return await showPage(c, desks, secretPage(came.name, came.secret ?? ''))
      c.status(422)
      return await showPage(c, desks, subscribePage(asked, came.problems))
    } catch (error) {
      if (!(error instanceof ShipbellError) || error.code !== 'wrong_state') throw error
      c.status(409)
      return showPage(c, desks, subscribePage(asked, [{ at: 'name', says: retold(error.message).replace(/\.$/, '') }]))
    }
  })
  // The answer itself shows the secret: an address that shows it could be asked for again.
  routes.post('/subscriptions/:name/rotate', async (c) => {
    const name = c.req.param('name')
    const secret = await actionsFor(actorOf(c)).rotateSecret(name)
    return showPage(c, desks, secretPage(name, secret))
  })
  routes.get('/subscriptions/:name/end', (c) => {
    actorOf(c)
    return showPage(c, desks, endQuestion(c.req.param('name')))
  })
  routes.post('/subscriptions/:name/end', async (c) => {
    const name = c.req.param('name')
    const actions = actionsFor(actorOf(c))
    return act(c, {
      notices,
      path: '/subscriptions',
      work: async () => {
        await actions.unsubscribe(name)
        return say('{name} has ended, and what waited is discarded.', { name })
      },
    })
  })
  return routes
}

function secretPage(name: string, secret: string): Page {
  const body = html`<h1>${say('The secret of {name}', { name })}</h1>
    <section class="panel confirm">
      <p class="lead"><code>${secret}</code></p>
      <p>
        ${say('It signs what {name} is sent, and is shown this once: give it to who receives. A secret before it signs beside it for 24 hours.', { name })}
      </p>
      <p><a class="button" href="${subscriptionPath(name)}">${say('To {name}', { name })}</a></p>
    </section>`
  return { title: `${say('Secret')} · ${name}`, under: 'Subscriptions', body }
}

function endQuestion(name: string): Page {
  const path = subscriptionPath(name)
  const body = html`<h1>${say('End {name}?', { name })}</h1>
    ${confirmation({
      question: say('{name} is sent nothing any more.', { name }),
      detail: say('What waits for it is discarded. Its deliveries stay in the ledger for as long as others.'),
      action: { path: `${path}/end`, isGrave: true },
      back: path,
    })}`
  return { title: `${say('End')} · ${name}`, under: 'Subscriptions', body }
}
