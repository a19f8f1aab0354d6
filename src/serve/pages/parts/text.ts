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
  return LONG_WORD.test(shown) ? html`<bdi class="long">${breakable(shown)}</bdi>` : html`<bdi>${shown}</bdi>`
}

/** What is said in the language of whoever looks: it runs as that does, with whatever name it begins. */
export function spoken(value: string, longest = LONGEST): Html {
  const shown = visible(cut(value, longest))
  return LONG_WORD.test(shown)
    ? html`<bdi class="long" dir="ltr">${breakable(shown)}</bdi>`
    : html`<bdi dir="ltr">${shown}</bdi>`
}

/** More than a column can promise to hold without a break. */
const LONG_WORD = /[^\s-]{19}/

/** Where addresses of the web and of mail break: behind what parts them, but for what leads to a host. */
const PARTS = /(?<=[^/][/?&=@])(?![/?&=@\s]|$)/
const ADDRESS = /:\/\/|@/

/** Addresses break between their parts before they break within a word. */
function breakable(shown: string): Html | string {
  if (!ADDRESS.test(shown)) return shown
  return html`${shown.split(PARTS).map((part, nth) => (nth === 0 ? part : html`<wbr />${part}`))}`
}

/** Likewise, a dash where there is none. */
export function textOrDash(value: string | null, longest = LONGEST): Html {
  return value === null || value === '' ? DASH : text(value, longest)
}

/** A sentence of ours in the language of whoever looks, that has commands in backquotes, instants as ISO date-times, and may hold what others said. */
export function sentence(value: string): Html {
  const parts = visible(asStarted(retold(value))).split('`')
  return html`${parts.map((part, nth) => (nth % 2 === 1 ? html`<code>${part}</code>` : html`<bdi dir="ltr">${withInstants(part)}</bdi>`))}`
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
