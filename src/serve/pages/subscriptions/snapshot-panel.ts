import { html } from 'hono/html'
import { amountText, say, sayCount } from '../languages/say.ts'
import type { SnapshotStanding } from '../../../model/snapshot-run.ts'
import { takesSnapshots, type Subscription } from '../../../model/subscription.ts'
import { RECORD_RESOURCES, RESOURCES, type RecordResource } from '../../../model/resource.ts'
import { snapshotState, snapshotSums } from '../../../model/snapshot-run.ts'
import { partsOf } from '../../../route/snapshot-run.ts'
import { mayAct, type SnapshotCount } from '../../admin-context.ts'
import { actionForm, confirmation } from '../parts/actions.ts'
import { subscriptionPath } from '../parts/address.ts'
import type { Page } from '../parts/layout.ts'
import type { Html } from '../parts/markup.ts'
import { facts, panel } from '../parts/panel.ts'
import { DASH, sentence } from '../parts/text.ts'
import { instant } from '../parts/time.ts'
import type { View } from '../show-page.ts'

const STATES = { under_way: 'under way', ended: 'ended', cancelled: 'cancelled' } as const

/** Every known record as it stands: how far the last time is, and what begins another; null: the channel takes none. */
export async function snapshotPanel(settings: Subscription, view: View): Promise<Html | null> {
  if (!takesSnapshots(settings.channel)) return null
  const { name } = settings
  const [run] = await view.desk.store.snapshotRuns({ which: 'last', subscription: name })
  const isUnderWay = run !== undefined && snapshotState(run) === 'under_way'
  return panel({
    id: 'snapshot',
    title: 'Snapshot',
    // Who chooses in the form is not to lose the choice.
    ...(isUnderWay && { live: 'delivery' as const }),
    body: html`${run === undefined ? html`<p class="dim">${say('It was never sent every known record.')}</p>` : await howFar(run, settings, view)}
    ${!mayAct(view.asker) ? null : isUnderWay ? actionForm({ path: `${subscriptionPath(name)}/cancel`, label: 'Cancel snapshot' }) : chooser(settings, view)}`,
  })
}

async function howFar(run: SnapshotStanding, settings: Subscription, { desk }: View): Promise<Html> {
  const { leftOut, sent } = snapshotSums(run)
  const known = snapshotState(run) === 'under_way' ? await knownRecords(run, settings, desk) : null
  return html`${
    known === null
      ? null
      : html`<progress
          max="${Math.max(known, sent + leftOut, 1)}"
          value="${sent + leftOut}"
          aria-label="${say('Records looked at')}"
        >
          ${say('{n} of {all}', { n: amountText(sent + leftOut), all: amountText(known) })}
        </progress>`
  }
  ${facts([
    { label: 'State', value: say(STATES[snapshotState(run)]) },
    { label: 'Of|records', value: wordsOf(run.only) },
    ...(known === null ? [] : [{ label: 'Known records', value: amountText(known) }]),
    { label: 'Sent', value: amountText(sent) },
    { label: 'Left out by where', value: amountText(leftOut) },
    { label: 'Begun', value: instant(run.begunAt) },
    {
      label: 'Ended',
      value: (run.endedAt ?? run.cancelledAt) === null ? DASH : instant(run.endedAt ?? run.cancelledAt ?? 0),
    },
  ])}`
}

/** How many records are known of what a run goes through. */
async function knownRecords(run: SnapshotStanding, settings: Subscription, desk: View['desk']): Promise<number> {
  const parts = partsOf(settings, desk.accounts(), run.only)
  const lists = (await desk.reports.accounts()).flatMap(({ account, lists }) =>
    lists.map((list) => ({ ...list, account })),
  )
  const counted = lists.filter((list) =>
    parts.some(({ account, resource }) => account === list.account && resource === list.resource),
  )
  return counted.reduce((sum, { records }) => sum + records, 0)
}

/** The form that says first how many records it would be sent. */
function chooser(settings: Subscription, { desk }: View): Html {
  const sendable = new Set(partsOf(settings, desk.accounts()).map(({ resource }) => resource))
  return html`<p>
      ${say('Sends every known record as it stands. The next page says how many, and sends nothing yet.')}
    </p>
    <form class="filters" method="get" action="${subscriptionPath(settings.name)}/snapshot">
      <div class="field">
        <label for="snapshot-resource">${say('Of|records')}</label>
        <select id="snapshot-resource" name="resource">
          <option value="">${say('all that it hears of')}</option>
          ${RECORD_RESOURCES.filter((each) => sendable.has(each)).map((each) => html`<option value="${each}">${wordsOf(each)}</option>`)}
        </select>
      </div>
      <button type="submit">${say('Send snapshot')}</button>
    </form>`
}

/** Asks before what a snapshot would send is sent. */
export function snapshotQuestion(name: string, only: RecordResource | null, { leftOut, rows }: SnapshotCount): Page {
  const path = subscriptionPath(name)
  const body =
    rows === 0
      ? html`<h1>${say('Send snapshot')}</h1>
          <section class="panel">
            <p class="lead">
              ${sentence(say('There is nothing to send {name}: {leftOut}.', { name, leftOut: leftOutWords(leftOut) }))}
            </p>
            <p><a class="button" href="${path}">${say('Back to {name}', { name })}</a></p>
          </section>`
      : html`<h1>${sayCount(rows, ['Send {n} record?', 'Send {n} records?'])}</h1>
          ${confirmation({
            question: sentence(sayCount(rows, SENT, { name, of: wordsOf(only), leftOut: leftOutWords(leftOut) })),
            detail: say(
              'They go in slices, behind what rings meanwhile, and can be cancelled. Nobody else is sent them.',
            ),
            action: { path: `${path}/snapshot`, fields: only === null ? {} : { resource: only } },
            back: path,
          })}`
  return { title: `${say('Snapshot')} · ${name}`, under: 'Subscriptions', body }
}

function leftOutWords(amount: number): string {
  if (amount === 0) return say('`where` leaves none out')
  return say('`where` leaves {n} out', { n: amountText(amount) })
}

function wordsOf(resource: RecordResource | null): string {
  return resource === null ? say('all that it hears of') : say(RESOURCES[resource].labels.many)
}

const SENT = [
  '{name} is sent {n} record as it stands ({of}); {leftOut}.',
  '{name} is sent {n} records as they stand ({of}); {leftOut}.',
] as const
