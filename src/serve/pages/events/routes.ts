import { Hono } from 'hono'
import { eventTrace } from '../../../report/event-story.ts'
import { droppedWords } from '../../../report/dropped-words.ts'
import type { AdminContext } from '../../admin-context.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { eventPath, valueOf } from '../parts/address.ts'
import { showNothing, showPage, viewOf } from '../show-page.ts'
import { eventChoicePage, eventListPage } from './event-list-page.ts'
import { eventPage } from './event-page.ts'

/** How many events are offered that a shortened id may mean. */
const OFFERED = 20

export function eventRoutes(desk: AdminContext): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/events', async (c) => {
    const view = viewOf(c, desk)
    const id = valueOf(view.address, 'id')
    return id === null ? showPage(c, desk, await eventListPage(view)) : c.redirect(eventPath(id.trim()), 303)
  })
  routes.get('/events/:id', async (c) => {
    const id = c.req.param('id')
    const view = viewOf(c, desk)
    const trace = await eventTrace(desk.store, id)
    if (trace !== null) return showPage(c, desk, await eventPage(trace, view))
    const account = valueOf(view.address, 'account')
    const name = /^\d+$/.test(id) ? `#${id}` : id
    const named = await desk.store.eventsNamed(name, { limit: OFFERED, ...(account !== null && { account }) })
    const [only, ...others] = named
    if (only === undefined)
      return showNothing(c, desk, `There is no event ${JSON.stringify(id)}${await droppedWords(desk.store)}.`)
    if (others.length === 0) return c.redirect(eventPath(only), 303)
    return showPage(c, desk, await eventChoicePage(named, view))
  })
  return routes
}
