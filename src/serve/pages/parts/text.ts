import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { cut } from '../../../message/words/short.ts'
import { parseInstant } from '../../../model/instant.ts'
import { asStarted } from '../../../invocation.ts'
import { visible } from '../../../printable.ts'
import type { Html } from './markup.ts'
import { instant } from './time.ts'

const LONGEST = 200

/** A text from a record, a receiver or a template: never markup, and what it holds orders no text beside it. */
export function text(value: string, longest = LONGEST): Html {
  const shown = visible(cut(value, longest))
  return LONG_WORD.test(shown) ? html`<bdi class="long">${shown}</bdi>` : html`<bdi>${shown}</bdi>`
}

/** More than a column can promise to hold without a break. */
const LONG_WORD = /[^\s-]{19}/

/** Likewise, a dash where there is none. */
export function textOrDash(value: string | null, longest = LONGEST): Html {
  return value === null || value === '' ? DASH : text(value, longest)
}

/** A sentence of ours in the language of whoever looks, that has commands in backquotes, instants as ISO date-times, and may hold what others said. */
export function sentence(value: string): Html {
  const parts = visible(asStarted(retold(value))).split('`')
  return html`${parts.map((part, nth) => (nth % 2 === 1 ? html`<code>${part}</code>` : html`<bdi>${withInstants(part)}</bdi>`))}`
}

const INSTANT = /(?<![\w-])(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)(?!\w)/

/** Instants as people read them. */
function withInstants(value: string): Html {
  return html`${value.split(INSTANT).map((part, nth) => {
    const at = nth % 2 === 1 ? parseInstant(part) : null
    return at === null ? part : instant(at)
  })}`
}

export const DASH = html`<span class="dim">–</span>`
