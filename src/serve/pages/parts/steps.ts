import { html } from 'hono/html'
import type { Content, Html } from './markup.ts'

export interface Step {
  /** `waiting`: it has not happened yet. */
  readonly tone: 'plain' | 'good' | 'warning' | 'critical' | 'waiting'
  readonly title: Content
  /** When; null: that is no instant. */
  readonly when: Content
  readonly body: Content
}

/** What came after what, from top to bottom. */
export function steps(label: string, rows: readonly Step[]): Html {
  return html`<ol class="steps" aria-label="${label}">
    ${rows.map(
      ({ body, title, tone, when }) =>
        html`<li class="${tone}">
          <div class="head">
            <h2>${title}</h2>
            <span class="dim small">${when}</span>
          </div>
          ${body}
        </li>`,
    )}
  </ol>`
}
