import { html } from 'hono/html'
import { eventItem } from '../parts/event-line.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import type { View } from '../show-page.ts'
import { backlogPanel } from './backlog-panel.ts'
import { budgetPanel } from './budget-panel.ts'
import { freshnessPanel } from './freshness-panel.ts'
import { hoursPanel } from './hours-panel.ts'
import { needsPanel } from './needs-panel.ts'
import { overviewOf, type Overview } from './overview-data.ts'
import { runningLine } from './running-line.ts'
import { workersPanel } from './workers-panel.ts'

/** `/system`, and `/`: is it running, is it fresh, what needs a person, and what happened last. */
export async function overviewPage(view: View): Promise<Page> {
  const overview = await overviewOf(view)
  const title = view.address.path === '/' ? 'Overview' : 'System'
  const body = html`<div class="head" id="running" data-live="event delivery">
      <h1>${title}</h1>
      ${runningLine(overview, view)}
    </div>
    ${needsPanel(overview, view)} ${freshnessPanel(overview)}
    <div class="columns">
      ${latestPanel(overview, view)}
      <div class="stack">${hoursPanel(overview)} ${budgetPanel(overview, view)}</div>
    </div>
    ${backlogPanel(overview, view)} ${workersPanel(overview, view)}`
  return { title, under: title, body }
}

function latestPanel({ latest }: Overview, { now }: View): Html {
  return panel({
    id: 'latest',
    title: 'Latest events',
    live: 'event',
    aside: html`<a href="/events">All events</a>`,
    body:
      latest.length === 0
        ? html`<div class="empty">Nothing has changed yet. What changes on the platform shows here at once.</div>`
        : html`<ol class="events">
            ${latest.map((event) => eventItem(event, { more: null, now }))}
          </ol>`,
  })
}
