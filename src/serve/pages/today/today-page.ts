import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import type { View } from '../show-page.ts'
import { arrivalsSection } from './arrivals.ts'
import { changesSection } from './changes-section.ts'
import { dueSection, isNothingDue } from './due-section.ts'
import { isNobodyNeeded, needsSection } from './needs-section.ts'
import { shipbellLine } from './shipbell-line.ts'
import { todayOf, type Today } from './today-facts.ts'

/** `/`: what needs somebody, what changed, what falls due and what arrives. */
export async function todayPage(view: View): Promise<Page> {
  const today = await todayOf(view)
  const body = html`<div class="head" id="summary" data-live="event delivery">
      <h1>${say('Today')}</h1>
      ${summary(today, view)}
    </div>
    ${shipbellLine(today.shipbell, view)} ${needsSection(today.needs, view)} ${changesSection(today, view)}
    ${dueSection(today.due)} ${arrivalsSection(today.arrivals)}`
  return { title: say('Today'), under: 'Today', body }
}

/** Where nothing of all that the page shows waits for anybody, that is said. */
function summary({ due, needs, shipbell }: Today, { now }: View): Html {
  const isFree =
    shipbell.length === 0 && isNobodyNeeded(needs, now) && isNothingDue(due.overdue) && isNothingDue(due.soon)
  return isFree ? html`<p class="row">${say('Nothing waits for you.')}</p>` : parts()
}

const PARTS = {
  'needs-somebody': 'Needs somebody',
  changes: 'What changed',
  due: 'Invoices due within 7 days',
  arrivals: 'Arrives within 7 days',
} as const

/** The way to each part of a long page. */
function parts(): Html {
  return html`<nav class="tabs small" aria-label="${say('On this page')}">
    ${Object.entries(PARTS).map(([id, name]) => html`<a href="#${id}">${say(name)}</a>`)}
  </nav>`
}
