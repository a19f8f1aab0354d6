import { html } from 'hono/html'
import { visible } from '../../../printable.ts'
import type { Json } from '../../../model/json.ts'
import { cut } from '../../../message/words/short.ts'
import { say } from '../languages/say.ts'
import type { Html } from './markup.ts'

/** Longer documents are shown by the API alone. */
const LONGEST = 200_000

/** A whole document behind a click. */
export function jsonDetails(summary: string, value: Json): Html {
  return textDetails(summary, JSON.stringify(value, null, 2))
}

/** A text of several lines behind a click. */
export function textDetails(summary: string, value: string): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${textBlock(value)}
  </details>`
}

export function textBlock(value: string): Html {
  const long = value.length > LONGEST ? html`<p class="dim">${say('cut: the API has all of it')}</p>` : null
  return html`<pre class="document" tabindex="0"><bdi>${visible(cut(value, LONGEST))}</bdi></pre>
    ${long}`
}
