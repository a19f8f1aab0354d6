import { html } from 'hono/html'
import { parseInstant } from '../../../model/instant.ts'
import { MILESTONES, type Milestone } from '../../../model/shipment.ts'
import { visible } from '../../../printable.ts'
import type { DateValue, RecordDetail } from '../../../store/ports/record-query-port.ts'
import { driftChart, type DriftPoint } from '../charts/drift-chart.ts'
import { say, sayCount } from '../languages/say.ts'
import { shiftText, wordText } from '../parts/words.ts'
import { badge, stateBadge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { agoText, clockText, dayText, momentText, sentDate } from '../parts/time.ts'
import type { View } from '../show-page.ts'
import { datesTable } from './dates-table.ts'
import { hearersOf } from './hearers.ts'

interface Drift {
  readonly milestone: Milestone
  readonly values: readonly DateValue[]
  /** The points with a date that exists. */
  readonly points: readonly DriftPoint[]
}

/** The dates of a shipment as they slid: each value, when it was seen, when and to whom it was told. */
export async function datesPanel(record: RecordDetail, view: View): Promise<Html> {
  const drifts = MILESTONES.map((milestone) => driftOf(milestone, record, view))
  const known = drifts.filter(({ values }) => values.length > 0)
  if (known.length === 0)
    return panel({
      id: 'dates',
      title: 'Dates',
      body: html`<div class="empty">${say('The platform has sent no dates yet.')}</div>`,
    })
  const from = Math.min(...known.flatMap(({ points }) => points.map(({ seenAt }) => seenAt)), view.now)
  const hearers = await hearersOf(
    known.flatMap(({ values }) => values),
    view.desk.store,
  )
  return panel({
    id: 'dates',
    title: 'Dates',
    live: 'event delivery',
    aside: legend(),
    body: html`<div class="drifts">${known.map((drift) => driftRow(drift, { from, now: view.now }))}</div>
      <p class="axis small dim" aria-hidden="true">
        <span>${dayText(from)}</span><span>${say('seen over time')}</span><span>${say('now')}</span>
      </p>
      <details>
        <summary>${say('Every value as a table: seen when, told when and to whom')}</summary>
        ${datesTable(known, hearers)}
      </details>`,
  })
}

function driftOf(milestone: Milestone, { dates, firstSeenAt }: RecordDetail, { now }: View): Drift {
  const values = dates[milestone] ?? []
  const points = values.flatMap(({ date, seenAt, status, toldAt }) => {
    const at = parseInstant(date)
    if (at === null) return []
    const seen = seenAt ?? firstSeenAt
    const told = toldAt === null ? say('learnt silently') : say('told {ago}', { ago: agoText(toldAt, now) })
    const title = visible(
      say('{date}, {status}: seen {ago}, {told}', {
        date: momentText(date),
        status: status === null ? say('no status') : wordText(status),
        ago: agoText(seen, now),
        told,
      }),
    )
    return [{ seenAt: seen, date: at, status: status ?? '', isTold: toldAt !== null, title }]
  })
  return { milestone, values, points: points.toSorted((a, b) => a.seenAt - b.seenAt) }
}

function driftRow(
  { milestone, points, values }: Drift,
  { from, now }: { readonly from: number; readonly now: number },
): Html {
  const [first, last] = [points[0], points.at(-1)]
  const current = values.at(-1)
  const slid = first === undefined || last === undefined ? null : slide(first.date, last.date)
  return html`<div class="drift-row" data-key="${milestone}">
    <div class="drift-head">
      <h3>${wordText(milestone)}</h3>
      <p>${current?.date == null ? html`<span class="dim">${say('no date now')}</span>` : sentDate(current.date)}</p>
      <p class="small row">${current?.status == null ? null : stateBadge(current.status)} ${slid}</p>
    </div>
    ${first === undefined || last === undefined ? html`<div></div>` : picture(milestone, points, { from, now })}
  </div>`
}

function picture(
  milestone: Milestone,
  points: readonly DriftPoint[],
  { from, now }: { readonly from: number; readonly now: number },
): Html {
  const dates = points.map(({ date }) => date)
  const [least, most] = [Math.min(...dates), Math.max(...dates)]
  const scaled = most !== least && dayText(most) === dayText(least) ? clockText : dayText
  const label = sayCount(
    points.length,
    ['{milestone}: {n} value, the first {first}, now {last}', '{milestone}: {n} values, the first {first}, now {last}'],
    { milestone: wordText(milestone), first: dayText(dates[0] ?? 0), last: dayText(dates.at(-1) ?? 0) },
  )
  return html`<figure class="drift-figure">
    <div class="scale small dim" aria-hidden="true">
      <span>${scaled(most)}</span>${most === least ? null : html`<span>${scaled(least)}</span>`}
    </div>
    ${driftChart({ label, points, from, to: now })}
  </figure>`
}

function slide(first: number, now: number): Html {
  if (first === now) return html`<span class="dim">${say('as first seen')}</span>`
  const minutes = (now - first) / 60_000
  return html`${badge(shiftText(minutes), minutes > 0 ? 'warning' : 'good')}
    <span class="dim">${say('than first seen, {day}', { day: dayText(first) })}</span>`
}

function legend(): Html {
  const statuses = ['planned', 'estimated', 'actual', 'problem'] as const
  return html`<ul class="legend">
    ${statuses.map((status) => html`<li class="${status}">${wordText(status)}</li>`)}
    <li class="told">${say('told')}</li>
    <li class="silent">${say('learnt silently')}</li>
  </ul>`
}
