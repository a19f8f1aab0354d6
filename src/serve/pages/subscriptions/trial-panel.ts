import { html } from 'hono/html'
import { amountText, say, sayAround } from '../languages/say.ts'
import type { Subscription } from '../../../model/subscription.ts'
import { link, valueOf } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { sentence } from '../parts/text.ts'
import type { View } from '../show-page.ts'

const DAYS = 30
const DAY_MS = 86_400_000
/** A page comes at once; who asks for all of it waits. */
const PATIENCE_MS = 10
const LONG_PATIENCE_MS = 8_000

/** What a subscription's patterns and filter would have let through lately. */
export async function trialPanel({ name }: Subscription, { address, desk, now }: View): Promise<Html> {
  const isAll = valueOf(address, 'tried') === 'all'
  const trial = { since: now - DAYS * DAY_MS, patienceMs: isAll ? LONG_PATIENCE_MS : PATIENCE_MS }
  const { isWhole, matched, of } = await desk.reports.matched(name, trial)
  const said = isWhole
    ? 'It matched {matched} of {of} events.'
    : 'It matched {matched} of the newest {of} events; older ones were not looked at.'
  return panel({
    id: 'trial',
    title: say('The last {n} days', { n: DAYS }),
    body: html`<p class="lead">
        ${sayAround(said, { matched: html`<strong>${amountText(matched)}</strong>`, of: html`<strong>${amountText(of)}</strong>` })}
      </p>
      ${
        of === 0 && isWhole
          ? html`<p class="dim">${say('Nothing rang in this time, so that nothing can be said of its filter.')}</p>`
          : html`<progress max="${Math.max(of, 1)}" value="${matched}" aria-label="${say('Events that match')}">
              ${say('{n} of {all}', { n: amountText(matched), all: amountText(of) })}
            </progress>`
      }
      ${
        isWhole || isAll
          ? null
          : html`<p>
              ${sayAround('{more}, which takes some seconds.', { more: html`<a href="${link(address, { tried: 'all' })}#trial">${say('Look at more of them')}</a>` })}
            </p>`
      }
      <p class="dim">
        ${sentence(say('Judged by its patterns, accounts, `where` and `min_shift` as they are now; tests left out.'))}
      </p>`,
  })
}
