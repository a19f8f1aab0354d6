import { html } from 'hono/html'
import type { Html } from './markup.ts'
import { viewer } from './viewer.ts'

/** The form by which somebody chooses how pages are shown to them: it keeps what the page is asked for beside that. */
export function choiceForm(name: 'lang' | 'tz', content: Html): Html {
  const { address } = viewer()
  const others = Object.entries(address?.query ?? {}).filter(([other]) => other !== name)
  return html`<form method="get" action="${address?.path ?? '/'}" data-whole>
    ${others.map(([other, values]) => values.map((value) => html`<input type="hidden" name="${other}" value="${value}" />`))}
    ${content}
  </form>`
}
