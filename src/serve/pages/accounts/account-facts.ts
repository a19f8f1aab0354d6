import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { amountText, say, sayAround } from '../languages/say.ts'
import type { HeldList, HoldVerdict } from '../../../model/hold.ts'
import { watchedAs } from '../../../model/resource.ts'
import { accountPath } from '../parts/address.ts'
import { healthOf, pauseAt } from '../../../report/account.ts'
import type { Freshness } from '../../../report/freshness.ts'
import { percent } from '../../../report/plan-words.ts'
import type { AccountOverview } from '../../../store/ports/query-port.ts'
import { stateBadge } from '../parts/badge.ts'
import { budgetUsed } from '../parts/budget-used.ts'
import type { Html } from '../parts/markup.ts'
import type { Fact } from '../parts/panel.ts'
import { sentence, text } from '../parts/text.ts'
import { ago, instant } from '../parts/time.ts'

interface AccountAround {
  readonly fresh: Freshness | undefined
  readonly now: number
  /** The accounts that ask with the same key. */
  readonly sharing: readonly AccountOverview[]
}

/** How an account's platform answers, and what it may be asked. */
export function accountFacts(account: AccountOverview, { fresh, now, sharing }: AccountAround): readonly Fact[] {
  const pause = pauseAt(account, now)
  return [
    { label: 'Platform', value: stateBadge(healthOf(account)) },
    {
      label: 'Pause',
      value:
        pause === null
          ? say('none|pause')
          : sayAround('until {instant}, {ago}', { instant: instant(pause.notBefore), ago: ago(pause.notBefore, now) }),
    },
    { label: 'Requests of the last hour', value: budgetUsed(account, sharing) },
    {
      label: 'What the platform bears',
      value:
        fresh === undefined || fresh.ceiling === null
          ? say('all of the budget, as far as is known')
          : sayAround('{part} of the budget, learnt {instant}', {
              part: percent(fresh.ceiling.fraction),
              instant: instant(fresh.ceiling.loweredAt),
            }),
    },
    { label: 'Events', value: html`<a href="/events?account=${account.account}">${so(account.lastSequence)}</a>` },
    { label: 'Plan', value: html`<a href="/plan#plan-${account.account}">${say('what is read how often')}</a>` },
  ]
}

/** What went wrong with an account's platform last, while it does. */
export function accountTrouble(account: AccountOverview, now: number): Html | null {
  const health = account.record?.memory.health
  const pause = pauseAt(account, now)
  const why = health !== undefined && healthOf(account) !== 'ok' ? health.reason : (pause?.reason ?? null)
  if (why === null) return null
  const isRefused = healthOf(account) === 'unauthorized'
  return html`<p class="notice ${isRefused ? 'critical' : 'warning'}">
    ${health === undefined || healthOf(account) === 'ok' ? null : html`${sayAround('Since {instant}:', { instant: instant(health.since) })} `}<strong
      >${text(retold(why), 500)}</strong
    >
    ${sentence(say(isRefused ? 'Correct `api_key`; it is tried again by itself.' : 'It is tried again by itself.'))}
  </p>`
}

export function holdPath({ account, reason, resource }: HeldList, verdict: HoldVerdict): string {
  const path = `${accountPath(account)}/holds/${watchedAs(resource)}`
  return reason === 'unproved' ? `${path}/${reason}/${verdict}` : `${path}/${verdict}`
}

function so(many: number): string {
  return amountText(Math.round(many))
}
