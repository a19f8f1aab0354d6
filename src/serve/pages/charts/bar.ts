import { html } from 'hono/html'
import type { Html } from '../parts/markup.ts'

const WIDTH = 100

/** How much of a whole, as a bar; what it says stands beside it as text. */
export function shareBar(share: number, tone: 'good' | 'warning' | 'critical' | 'neutral'): Html {
  const width = Math.min(Math.max(share, 0), 1) * WIDTH
  return html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="6" />
    <rect class="fill ${tone}" width="${width.toFixed(1)}" height="6" />
  </svg>`
}

/** A shift, earlier to the left and later to the right of the middle, beside the largest of its list. */
export function shiftBar(minutes: number, largest: number): Html {
  const width = (Math.min(Math.abs(minutes) / Math.max(largest, 1), 1) * WIDTH) / 2
  const x = minutes < 0 ? WIDTH / 2 - width : WIDTH / 2
  return html`<svg class="bar shift" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="6" />
    <rect class="fill ${minutes < 0 ? 'good' : 'warning'}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="6" />
  </svg>`
}
