import { html } from 'hono/html'
import { amountText, say } from '../languages/say.ts'
import type { Need, NeedKind } from '../../../report/need.ts'
import { badge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { sentence } from '../parts/text.ts'
import type { View } from '../show-page.ts'
import type { SystemFacts } from './system-data.ts'
import { mayAct } from '../../admin-context.ts'

const KINDS: Readonly<Record<NeedKind, string>> = {
  no_daemon: 'not running',
  rejected: 'configuration rejected',
  restart: 'restart needed',
  begun_anew: 'store begun anew',
  stalled: 'stalled',
  limit: 'own limit',
  refused: 'key refused',
  incomplete: 'not read whole',
  stale: 'old rows',
  held: 'removals held',
  disabled: 'disabled',
  failing: 'failing',
  exhausted: 'not delivered',
  untaken: 'not taken',
  late: 'late',
  does_not_fit: 'does not fit',
  quarantined: 'quarantine',
  unjudged: 'rule fails',
  outdated: 'older configuration',
}

/** What the page that a need leads to offers to who may act; others are shown the command. */
const HERE: Readonly<Partial<Record<NeedKind, string>>> = {
  held: 'Look at the platform, then accept or reject them on the page of the account.',
  disabled: 'Once it works again, enable it on its page.',
  failing: 'See on its page what was answered. Mend it, then send a test from there.',
  exhausted: 'Once it works again, retry them on its page.',
  late: 'The page of the account shows how its platform answers.',
  does_not_fit: 'The plan shows what would fit.',
}

/** What only a person can put right, the gravest first, each with what to do and where. */
export function needsPanel({ status: { needs } }: SystemFacts, { asker }: View): Html {
  if (needs.length === 0) return html`<section id="needs" data-live="event delivery" hidden></section>`
  return panel({
    id: 'needs',
    title: 'Needs a person',
    live: 'event delivery',
    aside: html`<span>${amountText(needs.length)}</span>`,
    body: html`<ul class="needs">
      ${needs.map((need) => needItem(need, mayAct(asker) ? HERE[need.kind] : undefined))}
    </ul>`,
  })
}

function needItem({ kind, page, remedy, urgent, what }: Need, here: string | undefined): Html {
  return html`<li class="${urgent ? 'urgent' : 'calm'}" data-row>
    ${badge(say(KINDS[kind]), urgent ? 'critical' : 'warning')}
    <div>
      <p><a href="${page}">${sentence(what)}</a></p>
      <p class="dim">${sentence(here === undefined ? remedy : say(here))}</p>
    </div>
  </li>`
}
