import { html } from 'hono/html'
import type { Subscription } from '../../../model/subscription.ts'
import { link, valueOf } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
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
  const [which, rest] = isWhole ? ['', ''] : ['the newest ', '; older ones were not looked at']
  return panel({
    id: 'trial',
    title: `The last ${DAYS} days`,
    body: html`<p class="lead"><strong>It matched ${so(matched)} of ${which}${so(of)}</strong> events${rest}.</p>
      ${
        of === 0 && isWhole
          ? html`<p class="dim">Nothing rang in this time, so that nothing can be said of its filter.</p>`
          : html`<progress max="${Math.max(of, 1)}" value="${matched}" aria-label="Events that match">
              ${so(matched)} of ${so(of)}
            </progress>`
      }
      ${
        isWhole || isAll
          ? null
          : html`<p>
              <a href="${link(address, { tried: 'all' })}#trial">Look at more of them</a>, which takes some seconds.
            </p>`
      }
      <p class="dim">
        Judged by its patterns, accounts, <code>where</code> and <code>min_shift</code> as they are now; tests left out.
      </p>`,
  })
}

function so(many: number): string {
  return many.toLocaleString('en')
}
