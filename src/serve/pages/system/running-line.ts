import { html } from 'hono/html'
import { say, sayAround, sayCount } from '../languages/say.ts'
import { badge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { sentence, text } from '../parts/text.ts'
import type { View } from '../show-page.ts'
import type { SystemFacts } from './system-data.ts'

/** Whether the daemon runs and does its work, in a line. */
export function runningLine({ readiness, status: { ages, needs, workers } }: SystemFacts, { desk }: View): Html {
  if (!readiness.store.ok)
    return html`<p class="row">
      ${badge(say('store in trouble'), 'critical')} ${sentence(readiness.store.problem ?? say('It cannot be written.'))}
    </p>`
  const silent = Object.entries(readiness.accounts).filter(([, { ok }]) => !ok)
  const late = ages.filter(({ state }) => state === 'late').length
  const accounts = desk.accounts().length
  return html`<p class="row">
    ${badge(workers.length > 1 ? say('{n} workers', { n: workers.length }) : say('running'), 'good')}
    ${
      silent.length === 0
        ? null
        : html`${badge(say('no answer'), 'warning')}
            <span
              >${sayAround('from {accounts}', { accounts: html`${silent.map(([name]) => text(`${name} `))}` })}</span
            >`
    }
    ${late === 0 ? badge(say('fresh'), 'good') : badge(say('{n} late', { n: late }), 'critical')}
    ${needs.length === 0 ? badge(say('nothing is wrong'), 'good') : null}
    <span class="dim small">${sayCount(accounts, ['{n} account', '{n} accounts'])}</span>
  </p>`
}
