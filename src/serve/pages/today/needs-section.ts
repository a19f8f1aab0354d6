import { html } from 'hono/html'
import { exceptionState } from '../../../model/exception.ts'
import { acknowledgedEntry, standingEntry } from '../exceptions/standing-entry.ts'
import type { OpenStandings, Standing } from '../exceptions/standing.ts'
import { say, sayAround } from '../languages/say.ts'
import { link, PLACE, valueOf } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { pager } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import type { View } from '../show-page.ts'

/** What is open, and what somebody sees to. */
export interface NeedsSomebody {
  readonly open: OpenStandings
  readonly acknowledged: readonly Standing[]
  /** Whether more is acknowledged than is shown. */
  readonly moreAcknowledged: boolean
}

/** How many stand in sight; the others of the page are a click away. */
const IN_SIGHT = 8

/** What needs somebody, the heaviest and oldest first; below, folded, what somebody sees to. */
export function needsSection({ acknowledged, moreAcknowledged, open }: NeedsSomebody, view: View): Html {
  const { standings } = open
  const [sight, rest] = [standings.slice(0, IN_SIGHT), standings.slice(IN_SIGHT)]
  return panel({
    id: 'needs-somebody',
    title: 'Needs somebody',
    live: 'event delivery',
    aside: html`<span>${amountOf(open, view)}</span>`,
    body: html`${
      standings.length === 0
        ? html`<div class="empty">${nothingOpen(open, view)}</div>`
        : html`<ul class="standings">
            ${sight.map((each) => standingEntry(each, view))}
          </ul>`
    }
    ${
      rest.length === 0
        ? null
        : html`<details id="more-open" data-key="more-open">
            <summary>${say('{n} more', { n: rest.length })}</summary>
            <ul class="standings">
              ${rest.map((each) => standingEntry(each, view))}
            </ul>
          </details>`
    }
    ${pager(view.address, open.next)}
    ${
      acknowledged.length === 0
        ? null
        : html`<details id="seen-to" data-key="seen-to">
            <summary>${seenToText(acknowledged, moreAcknowledged)}</summary>
            <ul class="standings">
              ${acknowledged.map((each) => acknowledgedEntry(each, view))}
            </ul>
          </details>`
    }`,
  })
}

function amountOf({ next, standings }: OpenStandings, { address }: View): string {
  if (valueOf(address, 'cursor') !== null) return say('{n} on this page', { n: standings.length })
  const n = standings.length
  return next === null ? say('{n} open', { n }) : say('more than {n} open', { n })
}

function nothingOpen({ next }: OpenStandings, { address }: View): Html {
  if (next !== null)
    return sayAround('Nothing here is open: go on with {next}.', { next: html`<em>${say('Next')}</em>` })
  return valueOf(address, 'cursor') === null
    ? html`${say('No shipment, order or invoice needs somebody.')}`
    : html`${say('Nothing more is open.')} <a href="${link(address, PLACE)}">${say('First page')}</a>.`
}

function seenToText(acknowledged: readonly Standing[], more: boolean): string {
  const amount = acknowledged.reduce((sum, { exceptions }) => sum + exceptions.length, 0)
  return more
    ? say('More than {n} that somebody sees to', { n: amount })
    : say('{n} that somebody sees to', { n: amount })
}

/** Whether nothing of it is open at `now`. */
export function isNobodyNeeded({ open }: NeedsSomebody, now: number): boolean {
  return (
    open.next === null &&
    open.standings.every(({ exceptions }) => exceptions.every((each) => exceptionState(each, now) !== 'open'))
  )
}
