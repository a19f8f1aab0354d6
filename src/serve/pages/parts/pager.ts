import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import { link, PLACE, valueOf, type Address } from './address.ts'
import type { Html } from './markup.ts'

/** How many pages back the way is kept: an address must not grow without end. */
const LONGEST_TRAIL = 20

/**
 * *Previous* and *Next* of a list that is read by cursor. A cursor leads forwards only: the address keeps those of the pages
 * before (`before`, oldest first), so that each page is a URL and the way back works without a script.
 */
export function pager(address: Address, next: string | null): Html {
  const cursor = valueOf(address, 'cursor')
  if (cursor === null && next === null) return html``
  const trail = address.query['before'] ?? []
  const onward = [...trail, ...(cursor === null ? [] : [cursor])].slice(-LONGEST_TRAIL)
  const back = { cursor: trail.at(-1) ?? null, before: trail.slice(0, -1) }
  return html`<nav class="pager" aria-label="${say('Pages')}">
    ${cursor === null ? html`<span class="dim">${say('Previous')}</span>` : html`<a rel="prev" href="${link(address, back)}">${say('Previous')}</a>`}
    ${next === null ? html`<span class="dim">${say('Next')}</span>` : html`<a rel="next" href="${link(address, { cursor: next, before: onward })}">${say('Next')}</a>`}
    ${cursor === null ? null : html`<a href="${link(address, PLACE)}">${say('First page')}</a>`}
  </nav>`
}
