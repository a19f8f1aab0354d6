import { html } from 'hono/html'
import type { Need } from '../../../report/need.ts'
import { say, sayCount } from '../languages/say.ts'
import { badge } from '../parts/badge.ts'
import type { Html } from '../parts/markup.ts'
import { sentence } from '../parts/text.ts'
import type { View } from '../show-page.ts'

/** One line where Shipbell itself needs somebody, as `status` judges; nothing otherwise. */
export function shipbellLine(needs: readonly Need[], { asker }: View): Html {
  const [first, ...others] = needs
  if (first === undefined) return html`<p id="shipbell" data-live="event delivery" hidden></p>`
  // Whoever sees a part has no page of how the whole is doing.
  const page = asker.scope.kind === 'all' ? '/system' : first.page
  const tone = first.urgent ? 'critical' : 'warning'
  return html`<p id="shipbell" class="row shipbell ${tone}" data-live="event delivery">
    ${badge('Shipbell', tone)}
    <span
      >${say(first.urgent ? 'Shipbell itself needs somebody:' : 'Shipbell itself can wait, and needs a look:')}
      ${sentence(first.what)}
      ${others.length === 0 ? null : sayCount(others.length, ['And {n} thing more.', 'And {n} things more.'])}</span
    >
    <a href="${page}">${asker.scope.kind === 'all' ? say('System') : say('See')}</a>
  </p>`
}
