import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import { eventItem } from '../parts/event-line.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import type { View } from '../show-page.ts'
import { auditPanel } from './audit-panel.ts'
import { backlogPanel } from './backlog-panel.ts'
import { budgetPanel } from './budget-panel.ts'
import { freshnessPanel } from './freshness-panel.ts'
import { hoursPanel } from './hours-panel.ts'
import { needsPanel } from './needs-panel.ts'
import { systemFactsOf, type SystemFacts } from './system-data.ts'
import { runningLine } from './running-line.ts'
import { workersPanel } from './workers-panel.ts'

/** `/system`: does Shipbell run, is it fresh, what of it needs a person, and what rang about it last. */
export async function systemPage(view: View): Promise<Page> {
  const facts = await systemFactsOf(view)
  const body = html`<div class="head" id="running" data-live="event delivery">
      <h1>${say('System')}</h1>
      ${runningLine(facts, view)}
    </div>
    ${needsPanel(facts, view)} ${freshnessPanel(facts)}
    <div class="columns">
      ${latestPanel(facts, view)}
      <div class="stack">${hoursPanel(facts)} ${budgetPanel(facts, view)}</div>
    </div>
    ${backlogPanel(facts, view)} ${auditPanel(facts)} ${workersPanel(facts, view)}`
  return { title: say('System'), under: 'System', body }
}

function latestPanel({ latest }: SystemFacts, { now }: View): Html {
  return panel({
    id: 'latest',
    title: 'Latest about Shipbell',
    live: 'event',
    aside: html`<a href="/events">${say('All events')}</a>`,
    body:
      latest.length === 0
        ? html`<div class="empty">${say('Nothing rang yet about an account or an endpoint.')}</div>`
        : html`<ol class="events">
            ${latest.map((event) => eventItem(event, { more: null, now }))}
          </ol>`,
  })
}
