import { html } from 'hono/html'
import { say } from '../languages/say.ts'
import type { Content, Html } from './markup.ts'

export interface Panel {
  /** Names it in the page: an anchor, and what live update swaps. */
  readonly id: string
  readonly title: Content
  /** Beside the title: links, a count. */
  readonly aside?: Content
  readonly body: Content
  /** What of the stream changes the panel; left out: it stays until the page is loaded anew. */
  readonly live?: 'event' | 'delivery' | 'event delivery'
}

/** A part of a page under a heading of its own. */
export function panel({ aside = null, body, id, live, title }: Panel): Html {
  return html`<section
    class="panel"
    id="${id}"
    aria-labelledby="${id}-title"
    ${live === undefined ? null : html`data-live="${live}"`}
  >
    <header>
      <h2 id="${id}-title">${typeof title === 'string' ? say(title) : title}</h2>
      ${aside === null ? null : html`<div class="aside">${aside}</div>`}
    </header>
    ${body}
  </section>`
}

export interface Fact {
  readonly label: string
  readonly value: Content
}

/** What is known of something, each with its name. */
export function facts(known: readonly Fact[]): Html {
  return html`<dl class="facts">
    ${known.map(
      ({ label, value }) =>
        html`<div>
          <dt>${say(label)}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}
