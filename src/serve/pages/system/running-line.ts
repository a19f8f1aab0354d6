import { html } from 'hono/html'
import { badge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { sentence, text } from '../parts/text.ts'
import type { View } from '../show-page.ts'
import type { SystemFacts } from './system-data.ts'

/** Whether the daemon runs and does its work, in a line. */
export function runningLine({ readiness, status: { ages, needs, workers } }: SystemFacts, { desk }: View): Html {
  if (!readiness.store.ok)
    return html`<p class="row">
      ${badge('store in trouble', 'critical')} ${sentence(readiness.store.problem ?? 'It cannot be written.')}
    </p>`
  const silent = Object.entries(readiness.accounts).filter(([, { ok }]) => !ok)
  const late = ages.filter(({ state }) => state === 'late').length
  const accounts = desk.accounts().length
  return html`<p class="row">
    ${badge(workers.length > 1 ? `${workers.length} workers` : 'running', 'good')}
    ${
      silent.length === 0
        ? null
        : html`${badge('no answer', 'warning')} <span>from ${silent.map(([name]) => text(`${name} `))}</span>`
    }
    ${late === 0 ? badge('fresh', 'good') : badge(`${late} late`, 'critical')}
    ${needs.length === 0 ? badge('nothing is wrong', 'good') : null}
    <span class="dim small">${accounts} ${accounts === 1 ? 'account' : 'accounts'}</span>
  </p>`
}
