import { html } from 'hono/html'
import type { Need, NeedKind } from '../../../report/needs.ts'
import { badge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { sentence } from '../parts/text.ts'
import type { Overview } from './overview-data.ts'

const KINDS: Readonly<Record<NeedKind, string>> = {
  no_daemon: 'not running',
  refused: 'key refused',
  held: 'removals held',
  disabled: 'disabled',
  failing: 'failing',
  exhausted: 'not delivered',
  late: 'late',
  does_not_fit: 'does not fit',
  quarantined: 'quarantine',
}

/** What only a person can put right, the gravest first, each with what to do and where. */
export function needsPanel({ needs }: Overview): Html {
  if (needs.length === 0) return html`<section id="needs" data-live="event delivery" hidden></section>`
  return panel({
    id: 'needs',
    title: 'Needs a person',
    live: 'event delivery',
    aside: html`<span>${needs.length}</span>`,
    body: html`<ul class="needs">
      ${needs.map(needItem)}
    </ul>`,
  })
}

function needItem({ kind, page, remedy, urgent, what }: Need): Html {
  return html`<li class="${urgent ? 'urgent' : 'calm'}" data-row>
    ${badge(KINDS[kind], urgent ? 'critical' : 'warning')}
    <div>
      <p><a href="${page}">${sentence(what)}</a></p>
      <p class="dim">${sentence(remedy)}</p>
    </div>
  </li>`
}
