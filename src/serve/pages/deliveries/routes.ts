import { Hono } from 'hono'
import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { say, sayAround, sayCount } from '../languages/say.ts'
import { formatInstant } from '../../../model/instant.ts'
import { retryNotes } from '../../../report/retry-notes.ts'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import type { ActionParts } from '../action-parts.ts'
import { confirmation } from '../parts/actions.ts'
import { deliveryPath, eventPath, jobPath, link } from '../parts/address.ts'
import type { Page } from '../parts/layout.ts'
import { text } from '../parts/text.ts'
import { momentText } from '../parts/time.ts'
import { act, actorOf, formOf } from '../act.ts'
import { showFiltered, showNothing, showPage, viewOf, type View } from '../show-page.ts'
import { deliveryListPage } from './delivery-list-page.ts'
import { deliveryPage } from './delivery-page.ts'
import { choicesFor, countOf, retryEach, retryFields, retryRequestOf, type RetryRequest } from './retry-request.ts'

export function deliveryRoutes(desks: Desks, { jobs, notices }: ActionParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/deliveries', async (c) => showFiltered(c, desks, deliveryListPage))
  routes.get('/deliveries/retry', async (c) => {
    const view = viewOf(c, desks)
    return showPage(
      c,
      desks,
      await retryQuestion(retryRequestOf(view.address, view.now), { ...view, asker: actorOf(c) }),
    )
  })
  routes.post('/deliveries/retry', async (c) => {
    const view = { ...viewOf(c, desks), asker: actorOf(c) }
    const request = retryRequestOf(await formOf(c), view.now)
    const choices = await choicesFor(request, view)
    const actions = view.desk.actionsOf(view.asker)
    const total = await countOf(choices, actions)
    const onward = listOf(request)
    const names = choices.map(({ subscription }) => subscription)
    const notes = retryNotes(await view.desk.store.endpoints(), names)
    const id = jobs.start(
      { title: `${say('Retry')}: ${whoseWords(request)}`, total, onward, notes, by: view.asker.name },
      async (options) => retryEach(choices, actions, options),
    )
    return c.redirect(jobPath(id), 303)
  })
  routes.get('/deliveries/:id', async (c) => {
    const id = c.req.param('id')
    const { store } = viewOf(c, desks).desk
    const delivery = (await store.deliveries([id]))[0] ?? null
    if (delivery !== null) return showPage(c, desks, await deliveryPage(delivery, viewOf(c, desks)))
    if (id.startsWith('evt_')) return c.redirect(eventPath(id), 303)
    return showNothing(c, desks, say('There is no delivery {id}.', { id: JSON.stringify(id) }))
  })
  routes.post('/deliveries/:id/retry', async (c) => {
    const id = c.req.param('id')
    const asker = actorOf(c)
    const desk = desks.deskOf(asker)
    const actions = desk.actionsOf(asker)
    return act(c, {
      notices,
      path: deliveryPath(id),
      work: async () => {
        const row = (await desk.store.deliveries([id]))[0] ?? null
        const notes = retryNotes(await desk.store.endpoints(), row === null ? [] : [row.subscription])
        if ((await actions.retry(id)) > 0) return [say('It is sent again now.'), ...notes.map(retold)].join(' ')
        return {
          tone: 'critical',
          text: say('It is held, because its subscription is disabled: it goes once that is enabled.'),
        }
      },
    })
  })
  return routes
}

function listOf(request: RetryRequest): string {
  const { missing: _, ...filters } = retryFields(request)
  return link({ path: '/deliveries', query: {} }, filters)
}

const SENT = ['{n} delivery will be sent: {whose}.', '{n} deliveries will be sent: {whose}.'] as const
const SENT_AGAIN = ['{n} delivery will be sent again: {whose}.', '{n} deliveries will be sent again: {whose}.'] as const

async function retryQuestion(request: RetryRequest, view: View): Promise<Page> {
  const total = await countOf(await choicesFor(request, view), view.desk.actionsOf(view.asker))
  const { missing } = request
  const whose = whoseWords(request)
  const body =
    total === 0
      ? html`<h1>${say('Retry')}</h1>
          <section class="panel">
            <p class="lead">${sayAround('There is nothing to retry: {whose}.', { whose: text(whose, 600) })}</p>
            <p><a class="button" href="${listOf(request)}">${say('Back to the deliveries')}</a></p>
          </section>`
      : html`<h1>${sayCount(total, ['Retry {n} delivery?', 'Retry {n} deliveries?'])}</h1>
          ${confirmation({
            question: text(sayCount(total, missing ? SENT : SENT_AGAIN, { whose }), 600),
            detail: say(
              'Those that were delivered are left alone, and so are tests and what has expired. What is held stays held while its subscription is disabled.',
            ),
            action: { path: '/deliveries/retry', fields: retryFields(request) },
            back: listOf(request),
          })}`
  return { title: say('Retry'), under: 'Deliveries', body }
}

function whoseWords({ account, cause, missing, since, state, subscription }: RetryRequest): string {
  return [
    subscription ?? say('every subscription'),
    ...(account === null ? [] : [say('account {account}', { account })]),
    ...(state === null ? [say('what is not delivered')] : [say('what is {state}', { state: say(state) })]),
    ...(cause === null ? [] : [say('failed because: {cause}', { cause: retold(cause) })]),
    ...(since === null ? [] : [say('events since {instant}', { instant: momentText(formatInstant(since)) })]),
    ...(missing ? [say('also events that match and have no delivery')] : []),
  ].join(', ')
}
