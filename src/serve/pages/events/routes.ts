import { Hono } from 'hono'
import { eventTrace } from '../../../report/event-story.ts'
import { droppedWords } from '../../../report/dropped-words.ts'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { eventPath, valueOf } from '../parts/address.ts'
import { showFiltered, showNothing, showPage, viewOf } from '../show-page.ts'
import { eventChoicePage, eventListPage } from './event-list-page.ts'
import { eventPage } from './event-page.ts'

/** How many events are offered that a shortened id may mean. */
const OFFERED = 20

export function eventRoutes(desks: Desks): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/events', async (c) => {
    const view = viewOf(c, desks)
    const id = valueOf(view.address, 'id')
    return id === null ? showFiltered(c, desks, eventListPage) : c.redirect(eventPath(id.trim()), 303)
  })
  routes.get('/events/:id', async (c) => {
    const id = c.req.param('id')
    const view = viewOf(c, desks)
    const { store } = view.desk
    const trace = await eventTrace(store, id)
    if (trace !== null) return showPage(c, desks, await eventPage(trace, view))
    const account = valueOf(view.address, 'account')
    const name = /^\d+$/.test(id) ? `#${id}` : id
    const named = await store.eventsNamed(name, { limit: OFFERED, ...(account !== null && { account }) })
    const [only, ...others] = named
    if (only === undefined)
      return showNothing(c, desks, `There is no event ${JSON.stringify(id)}${await droppedWords(store)}.`)
    if (others.length === 0) return c.redirect(eventPath(only), 303)
    return showPage(c, desks, await eventChoicePage(named, view))
  })
  return routes
}
