import { html } from 'hono/html'
import { readPointInTime } from '../../../model/point-in-time.ts'
import { formatInstant } from '../../../model/instant.ts'
import { dayOf, startOfDay } from '../../../model/zoned-day.ts'
import { say, sayAround } from '../languages/say.ts'
import { link, PLACE, valueOf } from '../parts/address.ts'
import type { Html } from '../parts/markup.ts'
import { text } from '../parts/text.ts'
import { hourText, instant } from '../parts/time.ts'
import { viewer } from '../parts/viewer.ts'
import { wrongField } from '../parts/wrong-field.ts'
import type { View } from '../show-page.ts'

/** From when on changes are shown. */
export interface Since {
  readonly at: number
  readonly kind: 'yesterday' | 'visit' | 'chosen'
  /** What was asked for and is no moment; null: nothing is wrong. */
  readonly wrong: string | null
}

/** The moment of `?since=`; else yesterday at midnight, on the clock of whoever looks. */
export function sinceOf({ address, lastVisit, now }: View): Since {
  const { timeZone } = viewer()
  const asked = valueOf(address, 'since')
  const at = asked === null ? null : readPointInTime(asked, now, timeZone)
  if (at !== null) return { at, kind: lastVisit === at ? 'visit' : 'chosen', wrong: null }
  return { at: startOfDay(dayOf(now, timeZone), timeZone, -1), kind: 'yesterday', wrong: asked }
}

/** What the changes are counted from, in words. */
export function sinceWords({ at, kind }: Since): Html {
  switch (kind) {
    case 'yesterday':
      return html`${say('What changed since yesterday')}`
    case 'visit':
      return html`${say('What changed since your last visit at {instant}', { instant: hourText(at) })}`
    case 'chosen':
      return sayAround('What changed since {instant}', { instant: instant(at) })
    default:
      return kind satisfies never
  }
}

/** The moments to choose from: links, and a field for any other. */
export function sinceControl({ kind, wrong }: Since, { address, lastVisit }: View): Html {
  const asked = valueOf(address, 'since') ?? ''
  const to = (since: string | null): string => `${link(address, { ...PLACE, since })}#changes`
  const choices = [
    { name: say('Yesterday'), href: to(null), isHere: kind === 'yesterday' && wrong === null },
    ...(lastVisit === undefined
      ? []
      : [
          {
            name: say('Since your last visit at {instant}', { instant: hourText(lastVisit) }),
            href: to(formatInstant(lastVisit)),
            isHere: kind === 'visit',
          },
        ]),
    { name: say('7 days'), href: to('7d'), isHere: asked === '7d' },
  ]
  const problem = wrongField(
    'since-problem',
    wrong === null
      ? null
      : sayAround('{value} is no moment: give an ISO date-time, a date (2026-11-21) or a duration ago (24h, 7d).', {
          value: text(wrong, 60),
        }),
  )
  return html`<div class="row since-choice">
    <nav class="tabs small" aria-label="${say('Since')}">
      ${choices.map(
        ({ href, isHere, name }) => html`<a href="${href}" ${isHere ? html`aria-current="true"` : null}>${name}</a>`,
      )}
    </nav>
    <details class="small" id="since-choice" data-key="since-choice" ${wrong === null ? null : html`open`}>
      <summary>${say('Another moment')}</summary>
      <form class="filters" method="get" action="${address.path}">
        <div class="field">
          <label for="since-field">${say('Since')}</label>
          <input
            id="since-field"
            type="text"
            name="since"
            value="${asked}"
            placeholder="${say('24h, or 2026-11-21')}"
            autocomplete="off"
            ${problem.marks}
          />
          ${problem.line}
        </div>
        <button type="submit">${say('Show')}</button>
      </form>
    </details>
  </div>`
}
