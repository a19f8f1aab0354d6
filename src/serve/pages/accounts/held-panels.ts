import { html } from 'hono/html'
import { amountText, say, sayAround } from '../languages/say.ts'
import { watchedText } from '../parts/words.ts'
import type { HeldList } from '../../../model/hold.ts'
import { watchedAs } from '../../../model/resource.ts'
import { HELD_BECAUSE, verdictsOf } from '../../../report/hold-words.ts'
import type { RecordDetail } from '../../../store/ports/record-query-port.ts'
import { actionForm } from '../parts/actions.ts'
import { recordPath } from '../parts/address.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { facts, panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { DASH, text, textOrDash } from '../parts/text.ts'
import { ago, instant } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { holdPath } from './account-facts.ts'
import { mayAct } from '../../admin-context.ts'

/** How many of the missing records stand beside the evidence. */
const SHOWN = 8

/** Removals that wait for a person, with what speaks for and against them side by side. */
export async function heldPanels(account: string, view: View): Promise<readonly Html[]> {
  const holds = (await view.desk.store.holds()).filter((hold) => hold.account === account)
  return await Promise.all(holds.map(async (hold) => await heldPanel(hold, view)))
}

interface Missing {
  readonly id: string
  readonly record: RecordDetail | null
}

async function heldPanel(hold: HeldList, view: View): Promise<Html> {
  const { account, known, missing, reason, resource, sample, since, verdict } = hold
  const watch = watchedAs(resource)
  const records = watchedText(watch)
  const missed = await Promise.all(
    sample
      .slice(0, SHOWN)
      .map(async (id) => ({ id, record: await view.desk.store.recordDetail({ account, resource, id }) })),
  )
  return panel({
    id: reason === 'unproved' ? `unproved-${watch}` : `held-${watch}`,
    title: say('Removals wait for a decision: {records}', { records }),
    aside:
      verdict === 'accept'
        ? badge(say('accepted: the next whole pass is believed'), 'good')
        : badge(say('not believed'), 'warning'),
    body: html`<div class="columns">
      <div class="stack">
        <h3>${say('What the list says')}</h3>
        <p class="lead">
          ${sayAround('{amount} are gone from the list: {records}.', { amount: html`<strong>${say('{n} of {all}', { n: so(missing), all: so(known) })}</strong>`, records })}
        </p>
        <p>
          ${sayAround('Seen {instant}, {ago}. It is not believed because {why}.', { instant: instant(since), ago: ago(since, view.now), why: say(HELD_BECAUSE[reason]) })}
        </p>
        ${facts([
          { label: 'Missing', value: so(missing) },
          { label: 'Still shown', value: so(Math.max(known - missing, 0)) },
        ])}
        ${verdict === null ? buttons(hold, view) : null}
      </div>
      <div class="stack">
        <h3>${say(missing > missed.length ? 'What was known of some of them' : 'What was known of them')}</h3>
        ${missingTable(missed, hold, view)}
      </div>
    </div>`,
  })
}

function missingTable(records: readonly Missing[], { account, resource }: HeldList, { now }: View): Html {
  return table<Missing>({
    caption: 'Records that are missing',
    rows: records,
    key: ({ id }) => id,
    columns: [
      {
        name: 'Record',
        cell: ({ id }) => html`<a href="${recordPath({ account, resource, id })}">${text(id, 80)}</a>`,
      },
      { name: 'Name', kind: 'wide', cell: ({ record }) => textOrDash(record?.name ?? null, 80) },
      { name: 'Status', cell: ({ record }) => (record?.status == null ? DASH : stateBadge(record.status)) },
      {
        name: 'Last read',
        kind: 'number',
        cell: ({ record }) => (record === null ? DASH : ago(record.lastReadAt, now)),
      },
    ],
    empty: html`${say('None is named.')}`,
  })
}

function buttons(hold: HeldList, { asker }: View): Html | null {
  if (!mayAct(asker)) return null
  const verdicts = verdictsOf(hold)
  return html`<dl class="choices">
    <div>
      <dt>${actionForm({ path: holdPath(hold, 'accept'), label: 'Accept', asks: true, isGrave: true })}</dt>
      <dd>${say(verdicts.accept)}.</dd>
    </div>
    <div>
      <dt>${actionForm({ path: holdPath(hold, 'reject'), label: 'Reject', asks: true })}</dt>
      <dd>${say(verdicts.reject)}.</dd>
    </div>
  </dl>`
}

function so(many: number): string {
  return amountText(many)
}
