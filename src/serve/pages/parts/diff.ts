import { html } from 'hono/html'
import { cut } from '../../../message/words/short.ts'
import { parseInstant } from '../../../model/instant.ts'
import type { Json } from '../../../model/json.ts'
import { say } from '../languages/say.ts'
import type { PlacedChange, Step } from './changed-places.ts'
import type { Html } from './markup.ts'
import { text } from './text.ts'
import { momentText } from './time.ts'
import { shiftText, wordText } from './words.ts'

/** How many changes stand open where nobody says otherwise; the others are a click away. */
const IN_SIGHT = 12
const MOST = 200
const LONGEST = 240
/** How much of the name of a list's element is shown. */
const LONGEST_NAME = 40

/** What changed, before and after, and nothing else. */
export function diff(changes: readonly PlacedChange[], inSight = IN_SIGHT): Html {
  if (changes.length === 0) return html``
  const [first, rest] = [changes.slice(0, inSight), changes.slice(inSight, MOST)]
  const left = changes.length - inSight - rest.length
  return html`${changeList(first)}
  ${
    rest.length === 0
      ? null
      : html`<details>
          <summary>${say('{n} more changes', { n: changes.length - inSight })}</summary>
          ${changeList(rest)}${left > 0 ? html`<p class="dim">${say('and {n} more', { n: left })}</p>` : null}
        </details>`
  }`
}

function changeList(changes: readonly PlacedChange[]): Html {
  return html`<dl class="diff">
    ${changes.map(
      (change) =>
        html`<div>
          <dt>${placeText(change.place)}</dt>
          <dd>${beforeAndAfter(change)}</dd>
        </div>`,
    )}
  </dl>`
}

/** Main tracking dates › arrival date › date; purchase order lines (10) › unit price › amount. */
function placeText(place: readonly Step[]): Html {
  return text(
    place
      .map(({ element, name }) =>
        element === null ? wordText(name) : `${wordText(name)} (${cut(element, LONGEST_NAME)})`,
      )
      .join(' › '),
  )
}

function beforeAndAfter({ from, to }: PlacedChange): Html {
  if (typeof from === 'string' && typeof to === 'string') {
    const moved = movedBy(from, to)
    if (moved !== null) return html`${was(momentText(from))} ${is(momentText(to))} <span class="moved">${moved}</span>`
    const cut = differing(from, to)
    return html`${was(cut.from)} ${is(cut.to)}`
  }
  return html`${from === null ? html`<span class="dim">${say('nothing')}</span><span aria-hidden="true"> →</span>` : was(shown(from))}
  ${to === null ? html`<span class="dim">${say('nothing')}</span>` : is(shown(to))}`
}

function was(value: string): Html {
  return html`<del><span class="unseen">${say('before:')} </span>${text(value, LONGEST)}</del
    ><span aria-hidden="true"> →</span>`
}

function is(value: string): Html {
  return html`<ins><span class="unseen">${say('now:')} </span>${text(value, LONGEST)}</ins>`
}

function movedBy(from: string, to: string): string | null {
  const [before, after] = [parseInstant(from), parseInstant(to)]
  if (before === null || after === null || before === after) return null
  return shiftText((after - before) / 60_000)
}

function shown(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return value === '' ? '""' : momentText(value)
}

const AROUND = 24
const LONG = 80

/** Two long texts only where they differ, with a little around it. */
function differing(from: string, to: string): { readonly from: string; readonly to: string } {
  if (from.length <= LONG && to.length <= LONG) return { from: shown(from), to: shown(to) }
  const least = Math.min(from.length, to.length)
  let head = 0
  while (head < least && from[head] === to[head]) head += 1
  let tail = 0
  while (tail < least - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1
  const part = (value: string): string => {
    const start = Math.max(head - AROUND, 0)
    const end = Math.min(value.length - tail + AROUND, value.length)
    return `${start > 0 ? '…' : ''}${value.slice(start, end)}${end < value.length ? '…' : ''}`
  }
  return { from: part(from), to: part(to) }
}
